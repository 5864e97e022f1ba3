package tacho.nativekit.driver;

/** Something that the person who called can put right; the message says how. */
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public UsageException(String message) {
        super(message);
    }
}

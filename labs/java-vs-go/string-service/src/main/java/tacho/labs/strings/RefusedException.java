package tacho.labs.strings;

/**
 * Carries a {@link Refusal} up to the server; without a stack trace, since bad input is not a fault
 * of ours.
 */
public final class RefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Refusal refusal;

    public RefusedException(Refusal refusal) {
        super(refusal.message, null, false, false);
        this.refusal = refusal;
    }

    public Refusal refusal() {
        return refusal;
    }
}

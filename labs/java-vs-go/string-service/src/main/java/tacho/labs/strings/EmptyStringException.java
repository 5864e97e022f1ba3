package tacho.labs.strings;

/**
 * The one error of the service itself; it is an answer like any other, so it carries no stack
 * trace.
 */
public final class EmptyStringException extends Exception {

    private static final long serialVersionUID = 1L;

    EmptyStringException() {
        super("empty string", null, false, false);
    }
}

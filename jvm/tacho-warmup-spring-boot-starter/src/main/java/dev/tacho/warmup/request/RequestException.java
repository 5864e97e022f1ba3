package dev.tacho.warmup.request;

/** What somebody wrote cannot be sent; the message says why and what to write. */
public final class RequestException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RequestException(String message) {
        super(message);
    }

    public RequestException(String message, Throwable cause) {
        super(message, cause);
    }
}

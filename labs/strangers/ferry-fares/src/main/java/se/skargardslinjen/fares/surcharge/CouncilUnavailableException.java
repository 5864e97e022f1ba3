package se.skargardslinjen.fares.surcharge;

public class CouncilUnavailableException extends RuntimeException {

    public CouncilUnavailableException(String message) {
        super(message);
    }

    public CouncilUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}

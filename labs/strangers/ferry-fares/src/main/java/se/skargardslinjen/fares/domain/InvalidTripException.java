package se.skargardslinjen.fares.domain;

public class InvalidTripException extends RuntimeException {

    public InvalidTripException(String message) {
        super(message);
    }
}

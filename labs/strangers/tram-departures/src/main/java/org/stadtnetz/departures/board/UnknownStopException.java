package org.stadtnetz.departures.board;

public class UnknownStopException extends RuntimeException {

    public UnknownStopException(String stop) {
        super("unknown stop " + stop, null, false, false);
    }
}

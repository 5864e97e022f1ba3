package org.rivernet.floods.gauge;

public class TelemetryException extends RuntimeException {

    public TelemetryException(String message, Throwable cause) {
        super(message, cause);
    }
}

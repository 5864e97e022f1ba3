package io.stromfluss.readings.meter;

public class UnknownMeterException extends RuntimeException {

    public UnknownMeterException(String id) {
        super("meter " + id + " is not known");
    }
}

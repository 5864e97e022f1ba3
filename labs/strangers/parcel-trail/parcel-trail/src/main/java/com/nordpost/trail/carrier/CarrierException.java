package com.nordpost.trail.carrier;

public class CarrierException extends RuntimeException {

    public CarrierException(String message, Throwable cause) {
        super(message, cause);
    }
}

package com.flinkfahrt.rides.client;

public class RoutingFailed extends RuntimeException {

    public RoutingFailed(String message, Throwable cause) {
        super(message, cause);
    }
}

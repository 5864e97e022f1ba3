package com.flinkfahrt.rides.http;

public class BadQuery extends RuntimeException {

    public BadQuery(String message) {
        super(message, null, false, false);
    }
}

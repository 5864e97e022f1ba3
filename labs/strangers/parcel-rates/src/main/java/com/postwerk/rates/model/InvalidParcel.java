package com.postwerk.rates.model;

public class InvalidParcel extends RuntimeException {

    public InvalidParcel(String message) {
        super(message, null, false, false);
    }
}

package com.apofinder.pharmacies.register;

public class UnknownDistrictException extends RuntimeException {

    public UnknownDistrictException(String key) {
        super("there is no district " + key);
    }
}

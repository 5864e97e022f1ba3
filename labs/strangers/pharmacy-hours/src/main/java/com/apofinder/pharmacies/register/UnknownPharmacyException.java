package com.apofinder.pharmacies.register;

public class UnknownPharmacyException extends RuntimeException {

    public UnknownPharmacyException(String key) {
        super("there is no pharmacy " + key);
    }
}

package com.teilwerk.offers.supplier;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

public class SupplierUnavailableException extends ResponseStatusException {

    public SupplierUnavailableException(String partNo, Throwable cause) {
        super(HttpStatus.BAD_GATEWAY, "supplier did not quote " + partNo, cause);
    }
}

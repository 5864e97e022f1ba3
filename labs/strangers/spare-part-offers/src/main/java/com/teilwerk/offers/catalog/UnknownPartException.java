package com.teilwerk.offers.catalog;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

public class UnknownPartException extends ResponseStatusException {

    public UnknownPartException(String partNo) {
        super(HttpStatus.NOT_FOUND, "no part " + partNo);
    }
}

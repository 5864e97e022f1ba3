package com.apofinder.pharmacies.web;

import com.apofinder.pharmacies.hours.OpeningHoursFormatException;
import com.apofinder.pharmacies.register.UnknownDistrictException;
import com.apofinder.pharmacies.register.UnknownPharmacyException;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestControllerAdvice;

@RestControllerAdvice
public class ErrorResponses {

    public record Problem(String code, String message) {
    }

    @ExceptionHandler({UnknownDistrictException.class, UnknownPharmacyException.class})
    @ResponseStatus(HttpStatus.NOT_FOUND)
    public Problem notFound(RuntimeException e) {
        return new Problem("not-found", e.getMessage());
    }

    @ExceptionHandler(OpeningHoursFormatException.class)
    @ResponseStatus(HttpStatus.UNPROCESSABLE_ENTITY)
    public Problem unreadable(OpeningHoursFormatException e) {
        return new Problem("hours-unreadable", e.getMessage());
    }
}

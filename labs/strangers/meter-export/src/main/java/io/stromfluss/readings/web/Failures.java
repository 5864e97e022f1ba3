package io.stromfluss.readings.web;

import io.stromfluss.readings.export.ExportTooLongException;
import io.stromfluss.readings.meter.UnknownMeterException;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

@RestControllerAdvice
public class Failures {

    @ExceptionHandler(UnknownMeterException.class)
    public ProblemDetail unknown(UnknownMeterException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, e.getMessage());
    }

    @ExceptionHandler(ExportTooLongException.class)
    public ProblemDetail tooLong(ExportTooLongException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, e.getMessage());
    }
}

package com.mautwerk.statements.web;

import com.mautwerk.statements.account.UnknownAccountException;

import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

@RestControllerAdvice
public class Failures {

    @ExceptionHandler(UnknownAccountException.class)
    public ResponseEntity<Map<String, String>> unknown(UnknownAccountException e) {
        return ResponseEntity.status(HttpStatus.NOT_FOUND).body(Map.of("error", e.getMessage()));
    }
}

package com.nordpost.platform.auth;

public class TokenRequestException extends RuntimeException {

    public TokenRequestException(String message) {
        super(message);
    }

    public TokenRequestException(String message, Throwable cause) {
        super(message, cause);
    }
}

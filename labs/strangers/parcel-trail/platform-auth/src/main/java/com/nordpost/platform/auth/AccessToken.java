package com.nordpost.platform.auth;

import java.time.Instant;

public record AccessToken(String value, Instant expiresAt) {

    @Override
    public String toString() {
        return "token until " + expiresAt;
    }
}

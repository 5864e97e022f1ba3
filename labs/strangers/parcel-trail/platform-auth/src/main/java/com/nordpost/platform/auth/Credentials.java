package com.nordpost.platform.auth;

import java.util.Objects;

/** By what a client identifies itself to an authorization server. */
public record Credentials(String clientId, String secret, String scope) {

    public Credentials {
        Objects.requireNonNull(clientId, "clientId");
        Objects.requireNonNull(secret, "secret");
    }

    @Override
    public String toString() {
        return clientId + " (" + scope + ")";
    }
}

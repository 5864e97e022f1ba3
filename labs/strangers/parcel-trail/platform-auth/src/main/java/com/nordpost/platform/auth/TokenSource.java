package com.nordpost.platform.auth;

/** Gives a token that is good for a call made now. */
public interface TokenSource {

    AccessToken current();

    default String authorizationHeader() {
        return "Bearer " + current().value();
    }
}

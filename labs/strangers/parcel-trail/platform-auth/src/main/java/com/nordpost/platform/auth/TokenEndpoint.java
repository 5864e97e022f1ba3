package com.nordpost.platform.auth;

/** The token endpoint of an authorization server. */
public interface TokenEndpoint {

    AccessToken request(Credentials credentials);
}

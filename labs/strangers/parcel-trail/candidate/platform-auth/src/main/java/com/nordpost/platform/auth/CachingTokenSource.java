package com.nordpost.platform.auth;

import java.time.Clock;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a token for as long as the expiry policy lets it. */
public class CachingTokenSource implements TokenSource {

    private static final Logger LOG = LoggerFactory.getLogger(CachingTokenSource.class);

    private final TokenEndpoint endpoint;
    private final Credentials credentials;
    private final Clock clock;
    private final ExpiryPolicy expiry;
    private AccessToken token;

    public CachingTokenSource(TokenEndpoint endpoint, Credentials credentials, Clock clock) {
        this(endpoint, credentials, clock, ExpiryPolicy.STANDARD);
    }

    public CachingTokenSource(TokenEndpoint endpoint, Credentials credentials, Clock clock, ExpiryPolicy expiry) {
        this.endpoint = endpoint;
        this.credentials = credentials;
        this.clock = clock;
        this.expiry = expiry;
    }

    @Override
    public synchronized AccessToken current() {
        if (token == null || !expiry.usable(token, clock.instant())) {
            token = endpoint.request(credentials);
            LOG.debug("{}: {}", credentials, token);
        }
        return token;
    }
}

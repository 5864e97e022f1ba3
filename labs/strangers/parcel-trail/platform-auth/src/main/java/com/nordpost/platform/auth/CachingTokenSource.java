package com.nordpost.platform.auth;

import java.time.Clock;
import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a token until shortly before it expires. */
public class CachingTokenSource implements TokenSource {

    private static final Logger LOG = LoggerFactory.getLogger(CachingTokenSource.class);

    private static final Duration LEEWAY = Duration.ofSeconds(15);

    private final TokenEndpoint endpoint;
    private final Credentials credentials;
    private final Clock clock;
    private AccessToken token;

    public CachingTokenSource(TokenEndpoint endpoint, Credentials credentials, Clock clock) {
        this.endpoint = endpoint;
        this.credentials = credentials;
        this.clock = clock;
    }

    @Override
    public synchronized AccessToken current() {
        if (token == null || !clock.instant().isBefore(token.expiresAt().minus(LEEWAY))) {
            token = endpoint.request(credentials);
            LOG.debug("{}: {}", credentials, token);
        }
        return token;
    }
}

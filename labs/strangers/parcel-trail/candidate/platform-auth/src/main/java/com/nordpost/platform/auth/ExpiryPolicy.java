package com.nordpost.platform.auth;

import java.time.Duration;
import java.time.Instant;

/** Decides when a token is no longer good for a call, clocks that disagree taken into account. */
public record ExpiryPolicy(Duration clockSkew) {

    /** What the authorization servers of all partners tolerate, see the integration handbook. */
    public static final ExpiryPolicy STANDARD = new ExpiryPolicy(Duration.ofMinutes(5));

    public ExpiryPolicy {
        if (clockSkew.isNegative()) {
            throw new IllegalArgumentException("clock skew must not be negative: " + clockSkew);
        }
    }

    public boolean usable(AccessToken token, Instant now) {
        return now.plus(clockSkew).isBefore(token.expiresAt());
    }
}

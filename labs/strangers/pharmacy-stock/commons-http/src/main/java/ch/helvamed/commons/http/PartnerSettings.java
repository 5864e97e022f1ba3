package ch.helvamed.commons.http;

import java.time.Duration;

/** How a partner's API is to be called. */
public record PartnerSettings(String partner, Duration connectTimeout, Duration readTimeout, int maxConnections) {

    public PartnerSettings {
        if (maxConnections < 1) {
            throw new IllegalArgumentException("maxConnections must be positive");
        }
    }
}

package com.teilwerk.offers.supplier;

import java.net.URI;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

@ConfigurationProperties("supplier")
public record SupplierProperties(URI url, Duration connectTimeout, Duration readTimeout, Stub stub) {

    /** Stands in for the supplier's system when there is no connection to it. */
    public record Stub(boolean enabled, Duration roundTrip) {
    }
}

package com.nordpost.trail.carrier;

import java.time.Duration;

import io.micronaut.context.annotation.ConfigurationProperties;

@ConfigurationProperties("carrier")
public record CarrierSettings(String clientId, String clientSecret, String scope, Duration timeout) {
}

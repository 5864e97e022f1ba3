package eu.quayside.freight.carrier;

import java.time.Duration;

import io.micronaut.context.annotation.ConfigurationProperties;

@ConfigurationProperties("carriers")
public record CarrierSettings(Duration connectTimeout, Duration readTimeout, int parallelCalls) {
}

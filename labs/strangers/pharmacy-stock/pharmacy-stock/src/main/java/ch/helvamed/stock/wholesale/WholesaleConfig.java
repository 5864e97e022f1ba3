package ch.helvamed.stock.wholesale;

import java.time.Duration;

import io.micronaut.context.annotation.ConfigurationProperties;

@ConfigurationProperties("wholesale")
public record WholesaleConfig(Duration connectTimeout, Duration readTimeout, int maxConnections) {
}

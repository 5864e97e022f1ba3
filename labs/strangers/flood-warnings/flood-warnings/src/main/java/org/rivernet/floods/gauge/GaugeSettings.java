package org.rivernet.floods.gauge;

import java.time.Duration;

import io.micronaut.context.annotation.ConfigurationProperties;

@ConfigurationProperties("gauges")
public record GaugeSettings(Duration timeout, Duration staleAfter) {
}

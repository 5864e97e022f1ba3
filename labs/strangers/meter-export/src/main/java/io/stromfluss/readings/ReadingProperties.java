package io.stromfluss.readings;

import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import org.springframework.boot.context.properties.ConfigurationProperties;

@ConfigurationProperties("readings")
public record ReadingProperties(LocalDate firstDay, int days, int meters, ZoneId zone, Duration longestExport) {
}

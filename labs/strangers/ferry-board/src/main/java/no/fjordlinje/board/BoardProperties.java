package no.fjordlinje.board;

import java.time.Duration;
import java.time.ZoneId;
import org.springframework.boot.context.properties.ConfigurationProperties;

@ConfigurationProperties("board")
public record BoardProperties(ZoneId zone, int longest, Duration lookAhead) {
}

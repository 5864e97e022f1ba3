package fr.cantine.labels.food;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** Where the national food table is; without an address a stub of it is started. */
@ConfigurationProperties("food-table")
public record FoodTableProperties(String url, Duration timeout, Stub stub) {

    public record Stub(Duration latency) {
    }

    public boolean stubbed() {
        return url == null || url.isBlank();
    }
}

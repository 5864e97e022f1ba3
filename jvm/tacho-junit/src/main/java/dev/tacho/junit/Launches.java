package dev.tacho.junit;

import java.time.Duration;
import java.util.List;

/**
 * What was measured: the times of each launch, in their order. A test method may take it as a
 * parameter.
 *
 * @param ready from the start of the JVM until it was ready
 * @param firstRequest the first request after that
 */
public record Launches(List<Duration> ready, List<Duration> firstRequest) {
    public Launches {
        ready = List.copyOf(ready);
        firstRequest = List.copyOf(firstRequest);
    }
}

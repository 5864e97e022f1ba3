package com.flinkfahrt.rides.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.micrometer.core.instrument.distribution.ValueAtPercentile;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** How the calls to routing go. */
public class RoutingMetrics {

    private final Timer calls;
    private final Counter failures;

    public RoutingMetrics(MeterRegistry registry) {
        this.calls = Timer.builder("routing.calls")
                .description("Calls to routing, from the estimate's side")
                .publishPercentiles(0.5, 0.95, 0.99)
                .percentilePrecision(3)
                .minimumExpectedValue(Duration.ofNanos(50_000))
                .maximumExpectedValue(Duration.ofSeconds(10))
                .distributionStatisticExpiry(Duration.ofMinutes(2))
                .register(registry);
        this.failures = Counter.builder("routing.failures")
                .description("Calls to routing that gave no route")
                .register(registry);
    }

    public void succeeded(long nanos) {
        calls.record(nanos, TimeUnit.NANOSECONDS);
    }

    public void failed() {
        failures.increment();
    }

    public Map<String, Object> report() {
        HistogramSnapshot snapshot = calls.takeSnapshot();
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("calls", snapshot.count());
        report.put("failures", (long) failures.count());
        report.put("meanMicros", Math.round(snapshot.mean(TimeUnit.MICROSECONDS)));
        for (ValueAtPercentile value : snapshot.percentileValues()) {
            report.put("p" + Math.round(value.percentile() * 100) + "Micros", Math.round(value.value(TimeUnit.MICROSECONDS)));
        }
        return report;
    }
}

package com.flinkfahrt.rides.metrics;

import io.grpc.Status;
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

    private static final double USUAL = 0.99;

    private final Timer calls;
    private final Counter failures;
    private final Counter late;

    public RoutingMetrics(MeterRegistry registry) {
        this.calls = Timer.builder("routing.calls")
                .description("Calls to routing, from the estimate's side")
                .publishPercentiles(0.5, 0.95, USUAL)
                .percentilePrecision(3)
                .minimumExpectedValue(Duration.ofNanos(50_000))
                .maximumExpectedValue(Duration.ofSeconds(10))
                .distributionStatisticExpiry(Duration.ofMinutes(2))
                .register(registry);
        this.failures = Counter.builder("routing.failures")
                .description("Calls to routing that gave no route")
                .register(registry);
        this.late = Counter.builder("routing.late")
                .description("Calls to routing that were given up")
                .register(registry);
    }

    public void succeeded(long nanos) {
        calls.record(nanos, TimeUnit.NANOSECONDS);
    }

    public void failed(Throwable failure) {
        failures.increment();
        if (Status.fromThrowable(failure).getCode() == Status.Code.DEADLINE_EXCEEDED) {
            late.increment();
        }
    }

    /** What 99 of 100 calls of the last minutes stayed below. */
    public double usualMillis() {
        for (ValueAtPercentile value : calls.takeSnapshot().percentileValues()) {
            if (value.percentile() == USUAL) {
                return value.value(TimeUnit.MILLISECONDS);
            }
        }
        return 0;
    }

    public Map<String, Object> report() {
        HistogramSnapshot snapshot = calls.takeSnapshot();
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("calls", snapshot.count());
        report.put("failures", (long) failures.count());
        report.put("late", (long) late.count());
        report.put("meanMicros", Math.round(snapshot.mean(TimeUnit.MICROSECONDS)));
        for (ValueAtPercentile value : snapshot.percentileValues()) {
            report.put("p" + Math.round(value.percentile() * 100) + "Micros", Math.round(value.value(TimeUnit.MICROSECONDS)));
        }
        return report;
    }
}

package tacho.labs.strings;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;

/** Counts the requests and times the work of each, as go-kit's instrumenting middleware does. */
final class MeasuredStrings implements StringService {

    private final StringService next;
    private final Counter requests;
    private final Histogram latency;

    MeasuredStrings(StringService next, PrometheusRegistry registry) {
        this.next = next;
        requests = Counter.builder()
                .name("string_service_requests_total")
                .help("Requests that reached the service.")
                .labelNames("method", "error")
                .register(registry);
        latency = Histogram.builder()
                .name("string_service_request_latency_seconds")
                .help("Time in the service.")
                .unit(Unit.SECONDS)
                .labelNames("method", "error")
                .classicOnly()
                .classicUpperBounds(0.000_001, 0.000_01, 0.000_1, 0.001, 0.01, 0.1, 1)
                .register(registry);
    }

    @Override
    public String uppercase(String s) throws EmptyStringException {
        long begin = System.nanoTime();
        boolean error = true;
        try {
            String v = next.uppercase(s);
            error = false;
            return v;
        } finally {
            record("uppercase", error, begin);
        }
    }

    @Override
    public int count(String s) {
        long begin = System.nanoTime();
        int v = next.count(s);
        record("count", false, begin);
        return v;
    }

    private void record(String method, boolean error, long begin) {
        String failed = Boolean.toString(error);
        requests.labelValues(method, failed).inc();
        latency.labelValues(method, failed).observe(Unit.nanosToSeconds(System.nanoTime() - begin));
    }
}

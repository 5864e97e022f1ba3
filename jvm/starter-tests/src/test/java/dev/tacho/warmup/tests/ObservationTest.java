package dev.tacho.warmup.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The actuator tells of the warm-up, and the meters of the traffic do not count it. */
class ObservationTest {

    private static final String[] TEN = {"tacho.warmup.requests[0].path=/work", "tacho.warmup.at-most=10"};

    @Test
    @Tag("quick")
    void theEndpointSaysWhatCameOfIt() throws Exception {
        try (Running service = Running.service(TEN)) {
            service.context();
            var answer = service.client.get("/actuator/warmup");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).contains("\"state\":\"over\"", "\"end\":\"request-limit\"", "\"ready\":true",
                    "\"answered\":10", "\"failed\":0", "\"name\":\"GET /work\"", "\"first_ms\":",
                    "\"url\":\"http://127.0.0.1:" + service.port() + "\"").doesNotContain("last_failure");
        }
    }

    @Test
    void andWhereItIsBefore() throws Exception {
        try (Running service = Running.service("tacho.warmup.requests[0].path=/slow", "tacho.warmup.within=10m",
                "tacho.warmup.at-least=20000")) {
            Running.await(() -> service.client.readiness() == 503);
            Running.await(() -> service.client.get("/actuator/warmup").body().contains("\"state\":\"warming\""));
            assertThat(service.client.get("/actuator/warmup").body()).contains("\"ready\":false")
                    .doesNotContain("\"end\"");
        }
    }

    @Test
    void metersHaveTheWarmUpAndItIsNotTakenForTraffic() throws Exception {
        try (Running service = Running.service(TEN)) {
            service.context();
            MeterRegistry meters = service.bean(MeterRegistry.class);
            assertThat(meters.get("tacho.warmup.requests").tag("outcome", "answered").functionCounter().count())
                    .isEqualTo(10);
            assertThat(meters.get("tacho.warmup.requests").tag("outcome", "failed").functionCounter().count()).isZero();
            assertThat(meters.get("tacho.warmup.ready").gauge().value()).isEqualTo(1);
            assertThat(meters.get("tacho.warmup.duration").timeGauge().value(TimeUnit.SECONDS)).isPositive();
            assertThat(service.client.status("/work")).isEqualTo(200);
            // Counted when the answer has left.
            Running.await(() -> work(meters) > 0);
            assertThat(work(meters)).isEqualTo(1);
        }
    }

    @Test
    void unlessItIsAskedFor() throws Exception {
        try (Running service = Running.service("tacho.warmup.requests[0].path=/work", "tacho.warmup.at-most=10",
                "tacho.warmup.observed=true")) {
            service.context();
            MeterRegistry meters = service.bean(MeterRegistry.class);
            Running.await(() -> work(meters) == 10);
        }
    }

    private static long work(MeterRegistry meters) {
        return meters.find("http.server.requests").tag("uri", "/work").timers().stream()
                .mapToLong(io.micrometer.core.instrument.Timer::count).sum();
    }
}

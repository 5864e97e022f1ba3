package dev.tacho.warmup.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacho.warmup.run.WarmUpProgress;
import dev.tacho.warmup.run.WarmUpReport;
import dev.tacho.warmup.tests.Service.Controller.Counts;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Readiness is never true before the service is warm. */
class ReadinessTest {

    private static final String[] A_HUNDRED_EACH = {"tacho.warmup.requests[0].path=/work",
        "tacho.warmup.requests[1].path=/slow", "tacho.warmup.at-least=200", "tacho.warmup.at-most=200",
                "tacho.warmup.within=10m"};

    /**
     * Asks for readiness as fast as it can from the first moment on, and asks the service at once
     * when it is ready.
     */
    private static Counts firstAnswer(Running service) throws Exception {
        int refused = 0;
        int readiness = 0;
        while (readiness != 200) {
            readiness = service.client.readiness();
            refused += readiness == 503 ? 1 : 0;
            assertThat(readiness).isIn(0, 200, 503);
        }
        Counts counts = Counts.of(service.client.get("/work").body());
        assertThat(refused).as("probes while it was warmed").isPositive();
        return counts;
    }

    @Test
    @Tag("quick")
    void thereIsNoTrafficBeforeItIsWarm() throws Exception {
        try (Running service = Running.service(A_HUNDRED_EACH)) {
            assertThat(firstAnswer(service)).isEqualTo(new Counts(100, 1));
            assertThat(service.bean(WarmUpProgress.class).report().end()).isIn("settled", "request-limit");
            assertThat(service.client.status("/actuator/health/liveness")).isEqualTo(200);
        }
    }

    @Test
    void norDoesItComeWhenTheApplicationSaysSoItself() throws Exception {
        try (Running service = Running.service(List.of(Service.class, TooEarly.class), A_HUNDRED_EACH)) {
            assertThat(firstAnswer(service)).isEqualTo(new Counts(100, 1));
        }
    }

    /** Says that it is ready as soon as its server runs. */
    @Configuration(proxyBeanMethods = false)
    static class TooEarly {

        @Bean
        ApplicationRunner tooEarly(ApplicationContext context) {
            return arguments -> AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
        }
    }

    @Test
    void itIsAliveWhileItIsWarmed() throws Exception {
        try (Running service = Running.service("tacho.warmup.requests[0].path=/slow", "tacho.warmup.at-least=20000",
                "tacho.warmup.within=10m")) {
            Running.await(() -> service.client.readiness() == 503);
            Running.await(() -> service.client.status("/actuator/health/liveness") == 200);
            assertThat(service.client.readiness()).isEqualTo(503);
        }
    }

    @Test
    void unlessToldOtherwiseItWaitsForTheLastCompiler() throws Exception {
        try (Running service = Running.service("tacho.warmup.requests[0].path=/work", "tacho.warmup.at-least=",
                "tacho.warmup.within=10m")) {
            service.context();
            assertThat(service.bean(WarmUpProgress.class).report().answered()).isGreaterThanOrEqualTo(10_000);
        }
    }

    @Test
    void whatWarmsItSettlesByTheRule() throws Exception {
        try (Running service = Running.service("tacho.warmup.requests[0].path=/slow", "tacho.warmup.connections=4",
                "tacho.warmup.within=10m")) {
            service.context();
            WarmUpReport report = service.bean(WarmUpProgress.class).report();
            assertThat(report.end()).isEqualTo("settled");
            assertThat(report.failed()).isZero();
            assertThat(report.answered()).isGreaterThanOrEqualTo(200);
            assertThat(report.requests()).singleElement().satisfies(kind -> {
                assertThat(kind.name()).isEqualTo("GET /slow");
                assertThat(kind.settledMs()).isGreaterThan(9.0);
                assertThat(kind.firstMs()).isGreaterThan(9.0);
            });
            assertThat(service.client.readiness()).isEqualTo(200);
        }
    }

    @Test
    @Tag("quick")
    void whereItIsOffAllIsAsWithoutIt() throws Exception {
        try (Running service = Running.service("tacho.warmup.requests[0].path=/work", "tacho.warmup.enabled=false")) {
            var context = service.context();
            assertThat(context.getBeanNamesForType(WarmUpProgress.class)).isEmpty();
            assertThat(context.getBean(ApplicationAvailability.class).getClass().getPackageName())
                    .startsWith("org.springframework");
            assertThat(service.client.readiness()).isEqualTo(200);
            assertThat(service.client.get("/work", "X-Warm-Up", "mine").body()).isEqualTo("0 1");
        }
    }

    @Test
    void withoutARequestNothingIsWarmed() throws Exception {
        try (Running service = Running.service()) {
            service.context();
            WarmUpReport report = service.bean(WarmUpProgress.class).report();
            assertThat(report.end()).isEqualTo("nothing-left");
            assertThat(report.durationS()).isLessThan(600);
            assertThat(service.client.readiness()).isEqualTo(200);
        }
    }
}

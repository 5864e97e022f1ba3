package dev.tacho.warmup.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacho.warmup.run.WarmUpFailedException;
import dev.tacho.warmup.run.WarmUpProgress;
import dev.tacho.warmup.run.WarmUpReport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.event.EventListener;

/** A warm-up that goes wrong ends as the configuration says. */
class FailureTest {

    private static final String BROKEN = "tacho.warmup.requests[0].path=/broken";

    private static WarmUpReport reportOf(Running service) throws Exception {
        service.context();
        return service.bean(WarmUpProgress.class).report();
    }

    @Test
    void aServiceThatAnswers500ServesColdUnlessSaidOtherwise() throws Exception {
        try (Running service = Running.service(BROKEN)) {
            WarmUpReport report = reportOf(service);
            assertThat(report.end()).isEqualTo("failing");
            assertThat(report.failed()).isEqualTo(20);
            assertThat(report.lastFailure()).isEqualTo("GET /broken: status 500");
            assertThat(service.client.readiness()).isEqualTo(200);
        }
    }

    @Test
    @Tag("quick")
    void closedItRefusesTrafficAndTellsWhoListens() throws Exception {
        try (Running service = Running.service(List.of(Service.class, Listener.class), BROKEN,
                "tacho.warmup.on-failure=closed", "tacho.warmup.failures=3")) {
            WarmUpReport report = reportOf(service);
            assertThat(report.failed()).isEqualTo(3);
            assertThat(report.ready()).isFalse();
            assertThat(service.client.readiness()).isEqualTo(503);
            assertThat(service.client.status("/actuator/health/liveness")).isEqualTo(200);
            assertThat(service.bean(Listener.class).heard)
                    .containsExactly(ReadinessState.ACCEPTING_TRAFFIC, ReadinessState.REFUSING_TRAFFIC);
        }
    }

    /** As a registry's client would. */
    static class Listener {

        final List<ReadinessState> heard = new CopyOnWriteArrayList<>();

        @EventListener
        void heard(AvailabilityChangeEvent<ReadinessState> event) {
            heard.add(event.getState());
        }
    }

    @Test
    void stopEndsTheApplication() throws Exception {
        try (Running service = Running.service(BROKEN, "tacho.warmup.on-failure=stop", "tacho.warmup.failures=3")) {
            assertThat(service.failure()).isInstanceOf(WarmUpFailedException.class)
                    .hasMessageContaining("GET /broken: status 500").hasMessageContaining("stop");
            assertThat(service.client.readiness()).isZero();
        }
    }

    @Test
    void requestsThatAreNotAnsweredInTimeHaveFailed() throws Exception {
        try (Running service = Running.service("tacho.warmup.requests[0].path=/never",
                "tacho.warmup.request-timeout=100ms",
                "tacho.warmup.failures=2", "tacho.warmup.on-failure=closed")) {
            WarmUpReport report = reportOf(service);
            assertThat(report.end()).isEqualTo("failing");
            assertThat(report.lastFailure()).isEqualTo("GET /never: no answer within 100 ms");
            assertThat(service.client.readiness()).isEqualTo(503);
        }
    }

    @Test
    void theLimitOfTimeHoldsThoughARequestIsUnderWay() throws Exception {
        try (Running service = Running.service("tacho.warmup.requests[0].path=/never",
                "tacho.warmup.request-timeout=5m",
                "tacho.warmup.within=500ms", "tacho.warmup.on-failure=closed")) {
            WarmUpReport report = reportOf(service);
            // The time is what the user is ready to pay, but for a service that answers.
            assertThat(report.end()).isEqualTo("failing");
            assertThat(report.answered() + report.failed()).isZero();
            assertThat(report.lastFailure()).contains("no request was answered");
            assertThat(service.client.readiness()).isEqualTo(503);
        }
    }

    @Test
    void aSingle500DoesNotEndIt() throws Exception {
        try (Running service = Running.service("tacho.warmup.requests[0].path=/work",
                "tacho.warmup.requests[1].path=/broken",
                "tacho.warmup.at-most=100", "tacho.warmup.failures=2")) {
            WarmUpReport report = reportOf(service);
            assertThat(report.end()).isEqualTo("request-limit");
            assertThat(report.answered()).isEqualTo(50);
            assertThat(report.failed()).isEqualTo(50);
        }
    }

    @Test
    void whatCannotBeReadIsAFailureAsWell() throws Exception {
        try (Running service = Running.service("tacho.warmup.targets=file:/nowhere/targets.txt",
                "tacho.warmup.on-failure=closed")) {
            WarmUpReport report = reportOf(service);
            assertThat(report.end()).isEqualTo("failing");
            assertThat(report.lastFailure()).contains("/nowhere/targets.txt", "cannot be read");
            assertThat(service.client.readiness()).isEqualTo(503);
        }
    }

    @Test
    void whoIsClosedWhileItIsWarmedIsNeverReady() throws Exception {
        try (Running service = Running.service("tacho.warmup.requests[0].path=/never",
                "tacho.warmup.request-timeout=5m",
                "tacho.warmup.within=10m")) {
            Running.await(() -> service.client.readiness() == 503);
            WarmUpProgress progress = service.bean(WarmUpProgress.class);
            service.closeWhileItStarts();
            assertThat(progress.report().end()).isEqualTo("interrupted");
            assertThat(progress.report().ready()).isFalse();
        }
    }
}

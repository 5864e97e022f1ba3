package dev.tacho.warmup.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacho.junit.Launches;
import dev.tacho.junit.TachoTest;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/**
 * Budgets of `tacho-junit` for a Spring Boot application, with the JUnit that Boot brings: 5 with
 * Boot 3, 6 with Boot 4. No machine is so slow that it misses these.
 */
class StartBudgetTest {

    @Tag("quick")
    @TachoTest(application = SignalTest.Main.class, ready = "/actuator/health/readiness", readyWithin = "9m",
            firstRequest = "/work", firstRequestWithin = "9m", timeout = "10m", launches = 2, arguments = {"--server.port={port}",
                "--tacho.warmup.requests[0].path=/work", "--tacho.warmup.at-most=10"})
    void anApplicationIsReadyAndAnswersItsFirstRequest(Launches launches) {
        assertThat(launches.ready()).hasSize(2).allMatch(took -> took.compareTo(Duration.ZERO) > 0);
        assertThat(launches.firstRequest()).hasSize(2).allMatch(took -> took.compareTo(Duration.ZERO) > 0);
    }
}

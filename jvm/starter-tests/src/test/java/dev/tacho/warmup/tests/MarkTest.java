package dev.tacho.warmup.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacho.warmup.mark.WarmUpMark;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests of the warm-up can be told from all others, and by nobody feigned. */
class MarkTest {

    private static final String[] TEN = {"tacho.warmup.requests[0].path=/work", "tacho.warmup.at-most=10"};

    @Test
    @Tag("quick")
    void aRequestFromOutsideThatCarriesTheHeaderIsRefused() throws Exception {
        try (Running service = Running.service(TEN)) {
            service.context();
            HttpResponse<String> refused = service.client.get("/work", "X-Warm-Up", "true");
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.body()).contains("X-Warm-Up");
            assertThat(service.client.status("/work", "x-warm-up", "")).isEqualTo(403);
            // The service did not see them.
            assertThat(service.client.get("/work").body()).isEqualTo("10 1");
        }
    }

    @Test
    void soIsOneWithTheTrueTokenWhenTheWarmUpIsOver() throws Exception {
        try (Running service = Running.service(TEN)) {
            service.context();
            String token = service.bean(Service.Controller.class).token;
            assertThat(token).isEqualTo(service.bean(WarmUpMark.class).token());
            assertThat(service.client.status("/work", "X-Warm-Up", token)).isEqualTo(403);
        }
    }

    @Test
    void andOneWhileItIsWarmed() throws Exception {
        try (Running service = Running.service("tacho.warmup.requests[0].path=/slow",
                "tacho.warmup.requests[1].path=/work",
                "tacho.warmup.at-least=20000", "tacho.warmup.within=10m")) {
            Running.await(() -> service.client.readiness() == 503);
            Running.await(() -> service.bean(Service.Controller.class).token != null);
            String token = service.bean(Service.Controller.class).token;
            assertThat(service.client.status("/work", "X-Warm-Up", "true")).isEqualTo(403);
            assertThat(service.client.status("/work", "X-Warm-Up", token, "X-Warm-Up", "true")).isEqualTo(403);
            assertThat(service.client.readiness()).isEqualTo(503);
        }
    }

    @Test
    void everyStartHasATokenOfItsOwn() throws Exception {
        String first;
        try (Running service = Running.service(TEN)) {
            service.context();
            first = service.bean(Service.Controller.class).token;
        }
        try (Running service = Running.service(TEN)) {
            service.context();
            assertThat(service.bean(Service.Controller.class).token).isNotEqualTo(first).hasSizeGreaterThan(20);
        }
    }

    @Test
    void theHeaderHasTheNameThatIsAskedFor() throws Exception {
        try (Running service = Running.service("tacho.warmup.requests[0].path=/work", "tacho.warmup.at-most=10",
                "tacho.warmup.mark=X-Dry-Run")) {
            service.context();
            assertThat(service.client.status("/work", "X-Dry-Run", "1")).isEqualTo(403);
            assertThat(service.client.get("/work", "X-Warm-Up", "1").body()).isEqualTo("10 1");
        }
    }
}

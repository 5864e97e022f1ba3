package dev.tacho.warmup.tests.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacho.warmup.servlet.ServletWarmUp;
import dev.tacho.warmup.tests.Running;
import dev.tacho.warmup.tests.Service;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A service asks whether a request is one of the warm-up. */
class ServletWarmUpTest {

    /** Keeps the warm-up out of what it counts. */
    @RestController
    public static class Till {

        private final AtomicInteger sold = new AtomicInteger();

        @GetMapping("/sell")
        String sell(HttpServletRequest request) {
            return "" + (ServletWarmUp.isWarmUp(request) ? sold.get() : sold.incrementAndGet());
        }
    }

    @Test
    void itIsToldFromTraffic() throws Exception {
        try (Running service = Running.service(List.of(Service.class, Till.class),
                "tacho.warmup.requests[0].path=/sell",
                "tacho.warmup.at-most=10")) {
            service.context();
            assertThat(service.client.get("/sell").body()).isEqualTo("1");
        }
    }
}

package dev.tacho.warmup.tests.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacho.warmup.reactive.ReactiveWarmUp;
import dev.tacho.warmup.tests.Running;
import dev.tacho.warmup.tests.Service;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** A service asks whether a request is one of the warm-up. */
class ReactiveWarmUpTest {

    /** Keeps the warm-up out of what it counts. */
    @RestController
    public static class Till {

        private final AtomicInteger sold = new AtomicInteger();

        @GetMapping("/sell")
        Mono<String> sell(ServerWebExchange exchange) {
            return Mono.fromSupplier(() -> ""
                    + (ReactiveWarmUp.isWarmUp(exchange) ? sold.get() : sold.incrementAndGet()));
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

package dev.tacho.warmup.reactive;

import dev.tacho.warmup.mark.WarmUpMark;
import org.springframework.web.server.ServerWebExchange;

/** For services that keep warm-up out of their data. */
public final class ReactiveWarmUp {

    private ReactiveWarmUp() {
    }

    /** Whether this is a request of the warm-up. Nobody outside can make it say so. */
    public static boolean isWarmUp(ServerWebExchange exchange) {
        return Boolean.TRUE.equals(exchange.getAttribute(WarmUpMark.ATTRIBUTE));
    }
}

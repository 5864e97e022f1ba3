package dev.tacho.warmup.reactive;

import dev.tacho.warmup.leave.Leaving;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** While the service leaves, each answer is the last of its connection. */
public final class LeavingWebFilter implements WebFilter, Ordered {

    private final Leaving leaving;

    public LeavingWebFilter(Leaving leaving) {
        this.leaving = leaving;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (leaving.isLeaving()) {
            exchange.getResponse().getHeaders().set(HttpHeaders.CONNECTION, "close");
        }
        return chain.filter(exchange);
    }
}

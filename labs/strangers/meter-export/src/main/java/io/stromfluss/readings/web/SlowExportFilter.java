package io.stromfluss.readings.web;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Leaves a line in the log about exports that took long. */
@Component
public class SlowExportFilter implements WebFilter {

    private static final Logger log = LoggerFactory.getLogger(SlowExportFilter.class);
    private static final Duration LONG = Duration.ofSeconds(5);

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        long start = System.nanoTime();
        return chain.filter(exchange).doFinally(signal -> {
            long nanos = System.nanoTime() - start;
            if (nanos > LONG.toNanos()) {
                log.warn("{} took {} ms", exchange.getRequest().getURI(), nanos / 1_000_000);
            }
        });
    }
}

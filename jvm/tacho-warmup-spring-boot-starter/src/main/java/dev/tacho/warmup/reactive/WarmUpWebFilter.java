package dev.tacho.warmup.reactive;

import dev.tacho.warmup.mark.WarmUpMark;
import java.nio.charset.StandardCharsets;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Marks requests of the warm-up with an attribute, and refuses requests that only claim to be such.
 * Runs before all other filters.
 */
public final class WarmUpWebFilter implements WebFilter, Ordered {

    private final WarmUpMark mark;

    public WarmUpWebFilter(WarmUpMark mark) {
        this.mark = mark;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return switch (mark.judge(MarkHeader.values(exchange.getRequest().getHeaders(), mark))) {
            case FORGED -> refuse(exchange.getResponse());
            case GENUINE -> {
                exchange.getAttributes().put(WarmUpMark.ATTRIBUTE, true);
                letItBeTheLastOfItsConnection(exchange.getResponse());
                yield chain.filter(exchange);
            }
            case NONE -> chain.filter(exchange);
        };
    }

    /**
     * Reactor Netty may stop reading from a connection when the next request comes before it has
     * finished the last one (reactor-netty issue 4361). That happens with a client on the same
     * machine while the server's code is cold. The sender cannot set this header: java.net.http
     * writes it itself.
     */
    private static void letItBeTheLastOfItsConnection(ServerHttpResponse answer) {
        answer.getHeaders().set(HttpHeaders.CONNECTION, "close");
    }

    private Mono<Void> refuse(ServerHttpResponse answer) {
        answer.setStatusCode(HttpStatus.FORBIDDEN);
        answer.getHeaders().setContentType(new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8));
        DataBuffer refusal = answer.bufferFactory().wrap(mark.refusal().getBytes(StandardCharsets.UTF_8));
        return answer.writeWith(Mono.just(refusal));
    }
}

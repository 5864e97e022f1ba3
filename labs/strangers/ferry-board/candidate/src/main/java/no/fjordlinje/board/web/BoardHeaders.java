package no.fjordlinje.board.web;

import org.springframework.http.CacheControl;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

@Component
public class BoardHeaders implements WebFilter {

    private static final String NO_STORE = CacheControl.noStore().getHeaderValue();

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        exchange.getResponse().getHeaders().setCacheControl(NO_STORE);
        return chain.filter(exchange);
    }
}

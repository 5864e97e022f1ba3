package it.musei.tickets.slots;

import io.vertx.ext.web.client.WebClientOptions;
import java.util.Map;

/** How the slot service of each operator wants to be spoken to. */
public final class OperatorAccess {

    private static final int TIMEOUT_MILLIS = 4_000;

    private final int port;
    private final Map<String, Integer> timeouts = Map.of("sud", 6_000);

    public OperatorAccess(int port) {
        this.port = port;
    }

    public int timeoutMillis(String operator) {
        return timeouts.getOrDefault(operator, TIMEOUT_MILLIS);
    }

    WebClientOptions optionsFor(String operator) {
        return new WebClientOptions()
                .setDefaultHost("127.0.0.1")
                .setDefaultPort(port)
                .setConnectTimeout(timeoutMillis(operator))
                .setUserAgent("museum-tickets/" + operator);
    }
}

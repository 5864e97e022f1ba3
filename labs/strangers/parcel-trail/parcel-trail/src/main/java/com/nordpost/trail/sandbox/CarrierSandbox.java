package com.nordpost.trail.sandbox;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.micronaut.context.annotation.Context;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stands in for the carrier's API, authorization server included. */
@Context
public class CarrierSandbox {

    private static final Logger LOG = LoggerFactory.getLogger(CarrierSandbox.class);

    private static final String[][] STOPS = {
        {"PRE", "2026-11-20T08:12:00Z", "Malmö", "SE"},
        {"ACC", "2026-11-20T15:40:00Z", "Malmö", "SE"},
        {"SRT", "2026-11-20T22:05:00Z", "Helsingborg", "SE"},
        {"XPT", "2026-11-21T03:30:00Z", "Padborg", "DK"},
        {"SRT", "2026-11-21T09:18:00Z", "Hamburg", "DE"},
        {"CUS", "2026-11-22T07:00:00Z", "Basel", "CH"},
        {"SRT", "2026-11-23T01:45:00Z", "Härkingen", "CH"},
        {"OFD", "2026-11-23T06:20:00Z", "Bern", "CH"},
        {"DLV", "2026-11-23T10:31:00Z", "Bern", "CH"},
    };

    private static final int TOKEN_LIFETIME_SECONDS = 300;
    private static final int MAX_TOKENS = 1000;

    private final Set<String> issued = Collections.newSetFromMap(Collections.synchronizedMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MAX_TOKENS;
        }
    }));
    private final ExecutorService workers = Executors.newFixedThreadPool(8);
    private HttpServer server;

    @PostConstruct
    void start() throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        server.createContext("/oauth/token", this::token);
        server.createContext("/events/", this::events);
        server.setExecutor(workers);
        server.start();
        LOG.info("carrier sandbox at {}", baseUri());
    }

    @PreDestroy
    void stop() {
        server.stop(0);
        workers.shutdown();
    }

    public URI baseUri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void token(HttpExchange exchange) throws IOException {
        String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (!form.contains("client_assertion=")) {
            answer(exchange, 401, "{\"error\":\"invalid_client\"}");
            return;
        }
        String token = UUID.randomUUID().toString();
        issued.add(token);
        answer(exchange, 200, "{\"access_token\":\"" + token + "\",\"token_type\":\"Bearer\",\"expires_in\":"
                + TOKEN_LIFETIME_SECONDS + "}");
    }

    private void events(HttpExchange exchange) throws IOException {
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        if (authorization == null || !issued.contains(authorization.substring("Bearer ".length()))) {
            answer(exchange, 401, "{\"error\":\"invalid_token\"}");
            return;
        }
        String path = exchange.getRequestURI().getPath();
        int stops = 3 + path.charAt(path.length() - 5) % (STOPS.length - 2);
        StringBuilder json = new StringBuilder("[");
        for (int i = 0; i < stops; i++) {
            String[] stop = STOPS[i];
            json.append(i == 0 ? "" : ",")
                    .append("{\"code\":\"").append(stop[0])
                    .append("\",\"at\":\"").append(stop[1])
                    .append("\",\"depot\":\"").append(stop[2])
                    .append("\",\"country\":\"").append(stop[3])
                    .append("\",\"weightGrams\":1840,\"scanner\":\"S-").append(400 + i).append("\"}");
        }
        answer(exchange, 200, json.append("]").toString());
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }
}

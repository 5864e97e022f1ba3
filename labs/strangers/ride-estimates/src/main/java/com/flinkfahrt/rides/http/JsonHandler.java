package com.flinkfahrt.rides.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/** Answers with the JSON of what a resource returns. */
public class JsonHandler implements HttpHandler {

    private static final Logger LOG = LoggerFactory.getLogger(JsonHandler.class);

    private final ObjectMapper mapper = new ObjectMapper();
    private final Resource resource;

    public JsonHandler(Resource resource) {
        this.resource = resource;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        int status = 200;
        Object answer;
        try {
            answer = resource.get(Query.of(exchange.getRequestURI()));
        } catch (BadQuery e) {
            status = 400;
            answer = Map.of("error", e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("{} failed", exchange.getRequestURI(), e);
            status = 500;
            answer = Map.of("error", "internal error");
        }
        byte[] body = mapper.writeValueAsBytes(answer);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }
}

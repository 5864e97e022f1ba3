package eu.nachtquartier.offers.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/** Writes answers as JSON. */
final class Answers {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Answers() {
    }

    static void ok(HttpExchange exchange, Object value) throws IOException {
        write(exchange, 200, value);
    }

    static void problem(HttpExchange exchange, int status, String detail) throws IOException {
        write(exchange, status, Map.of("error", String.valueOf(detail)));
    }

    private static void write(HttpExchange exchange, int status, Object value) throws IOException {
        byte[] body = MAPPER.writeValueAsBytes(value);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }
}

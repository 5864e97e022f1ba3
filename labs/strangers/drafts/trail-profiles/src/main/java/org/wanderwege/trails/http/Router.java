package org.wanderwege.trails.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Finds the endpoint of a request by the segments of its path. */
public final class Router implements HttpHandler {

    private static final Logger LOG = Logger.getLogger(Router.class.getName());

    private final List<Route> routes = new ArrayList<>();

    public void get(String template, Endpoint endpoint) {
        routes.add(new Route(template.substring(1).split("/"), endpoint));
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Reply reply;
            try {
                reply = dispatch(exchange);
            } catch (IllegalArgumentException e) {
                reply = Reply.problem(400, e.getMessage());
            } catch (RuntimeException e) {
                LOG.log(Level.SEVERE, "Request failed: " + exchange.getRequestURI(), e);
                reply = Reply.problem(500, "internal error");
            }
            send(exchange, reply);
        }
    }

    private Reply dispatch(HttpExchange exchange) {
        if (!"GET".equals(exchange.getRequestMethod())) {
            return Reply.problem(405, "only GET is served");
        }
        String[] segments = exchange.getRequestURI().getPath().substring(1).split("/");
        for (Route route : routes) {
            Map<String, String> variables = route.match(segments);
            if (variables != null) {
                return route.endpoint.answer(new Request(variables, exchange.getRequestURI().getRawQuery()));
            }
        }
        return Reply.problem(404, "nothing here");
    }

    private static void send(HttpExchange exchange, Reply reply) throws IOException {
        byte[] bytes = reply.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(reply.status(), bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static final class Route {

        private final String[] template;
        private final Endpoint endpoint;

        private Route(String[] template, Endpoint endpoint) {
            this.template = template;
            this.endpoint = endpoint;
        }

        private Map<String, String> match(String[] segments) {
            if (segments.length != template.length) {
                return null;
            }
            Map<String, String> variables = new HashMap<>();
            for (int i = 0; i < segments.length; i++) {
                String expected = template[i];
                if (expected.startsWith("{")) {
                    variables.put(expected.substring(1, expected.length() - 1), segments[i]);
                } else if (!expected.equals(segments[i])) {
                    return null;
                }
            }
            return variables;
        }
    }
}

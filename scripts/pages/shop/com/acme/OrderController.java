package com.acme;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** A shop as the pages speak of one: {@code GET /orders}, {@code POST /api/users}, and more. */
public final class OrderController {
    private final OrderService orders = new OrderService();

    private OrderController() {}

    /** What {@code GET /orders} answers. */
    String list() {
        var text = new StringBuilder("[");
        for (int id = 1; id <= 10; id++) {
            text.append(id == 1 ? "" : ",").append(orders.find(id));
        }
        return text.append(']').toString();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byte[] body = list().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** Listens where {@code PORT} says, else on 8080; with {@code busy} it asks itself as well. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        String port = System.getenv().getOrDefault("PORT", "8080");
        var controller = new OrderController();
        HttpServer server = HttpServer.create(new InetSocketAddress(Integer.parseInt(port)), 0);
        server.createContext("/", controller::answer);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.start();
        while (arguments.length > 0 && arguments[0].equals("busy")) {
            controller.list();
            Thread.sleep(5);
        }
    }
}

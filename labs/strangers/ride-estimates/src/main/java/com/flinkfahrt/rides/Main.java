package com.flinkfahrt.rides;

import com.flinkfahrt.rides.client.RoutingClient;
import com.flinkfahrt.rides.estimate.EstimateService;
import com.flinkfahrt.rides.http.EstimateHandler;
import com.flinkfahrt.rides.http.JsonHandler;
import com.flinkfahrt.rides.http.MetricsHandler;
import com.flinkfahrt.rides.metrics.RoutingMetrics;
import com.flinkfahrt.rides.routing.RoutingServer;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

public final class Main {

    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    private Main() {
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        int port = number("RIDES_PORT", 8090);
        RoutingServer routing = RoutingServer.start(number("RIDES_ROUTING_PORT", 0));
        RoutingMetrics metrics = new RoutingMetrics(new SimpleMeterRegistry());
        RoutingClient client = new RoutingClient("127.0.0.1", routing.port(), metrics);

        HttpServer server = HttpServer.create(new InetSocketAddress(port), 256);
        AtomicInteger number = new AtomicInteger();
        server.setExecutor(Executors.newFixedThreadPool(16, task -> new Thread(task, "http-" + number.incrementAndGet())));
        server.createContext("/estimates", new JsonHandler(new EstimateHandler(new EstimateService(client))));
        server.createContext("/metrics", new JsonHandler(new MetricsHandler(metrics)));
        server.start();
        LOG.info("Ride estimates listening on port {}, routing on port {}", port, routing.port());

        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.stop(0);
            client.close();
            routing.stop();
        }, "shutdown"));
    }

    private static int number(String name, int otherwise) {
        String value = System.getenv(name);
        return value == null || value.isBlank() ? otherwise : Integer.parseInt(value.trim());
    }
}

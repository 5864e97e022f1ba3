package org.rivernet.floods.sandbox;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.micronaut.context.annotation.Context;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;

/** Stands in for the telemetry gateway. */
@Context
public class GaugeSandbox {

    private static final Logger LOG = LoggerFactory.getLogger(GaugeSandbox.class);

    private final ExecutorService workers = Executors.newFixedThreadPool(6);
    private HttpServer server;

    @PostConstruct
    void start() throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        server.createContext("/telemetry/", this::telemetry);
        server.setExecutor(workers);
        server.start();
        LOG.info("telemetry sandbox at {}", baseUri());
    }

    @PreDestroy
    void stop() {
        server.stop(0);
        workers.shutdown();
    }

    public URI baseUri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void telemetry(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String catchment = path.substring(path.lastIndexOf('/') + 1);
        int seed = catchment.hashCode();
        StringBuilder json = new StringBuilder("[");
        for (int i = 0; i < 6; i++) {
            json.append(i == 0 ? "" : ",")
                    .append("{\"gauge\":\"").append(catchment).append('-').append(i)
                    .append("\",\"millimetres\":").append(800 + Math.floorMod(seed * 131 + i * 617, 1500))
                    .append(",\"trend\":").append(Math.floorMod(seed + i, 3) - 1)
                    .append(",\"ageMinutes\":").append(5 + i * 17).append('}');
        }
        byte[] body = json.append(']').toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }
}

package com.teilwerk.offers.supplier;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The supplier's stock service as far as we need it, answering as late as the real one does. */
public class SupplierStub implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SupplierStub.class);
    private static final String PATH = "/stock/";

    private final HttpServer server;
    private final ScheduledExecutorService answers = Executors.newScheduledThreadPool(2);
    private final long delayMicros;

    public SupplierStub(SupplierProperties.Stub properties) {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        this.delayMicros = TimeUnit.NANOSECONDS.toMicros(properties.roundTrip().toNanos());
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext(PATH, exchange ->
                answers.schedule(() -> answer(exchange), delayMicros, TimeUnit.MICROSECONDS));
        server.start();
        log.info("supplier is a stub at {}", url());
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private static void answer(HttpExchange exchange) {
        String partNo = exchange.getRequestURI().getPath().substring(PATH.length());
        int hash = partNo.hashCode() & 0xffff;
        byte[] body = String.format(Locale.ROOT,
                "{\"partNo\":\"%s\",\"inStock\":%d,\"leadTimeDays\":%d,\"freight\":%d.%02d,\"materialSurcharge\":0.%02d}",
                partNo, hash % 40, 1 + hash % 9, 4 + hash % 20, hash % 100, hash % 12)
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        try (exchange) {
            exchange.sendResponseHeaders(200, body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        } catch (IOException e) {
            log.debug("caller of {} went away", partNo, e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        answers.shutdownNow();
    }
}

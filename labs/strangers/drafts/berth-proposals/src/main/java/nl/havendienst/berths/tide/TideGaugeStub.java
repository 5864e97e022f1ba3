package nl.havendienst.berths.tide;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import nl.havendienst.berths.web.Json;

/** Stands in for the waterways authority where it cannot be reached; answers as late as it does. */
public final class TideGaugeStub {

    private static final long LATENCY_MICROS = 1_600;
    private static final double MEAN_LEVEL = 1.9;
    private static final double SPRING_RANGE = 1.4;
    private static final double PERIOD_HOURS = 12.42;

    private final ScheduledExecutorService replies = Executors.newScheduledThreadPool(2, task -> {
        Thread thread = new Thread(task, "tide-gauge");
        thread.setDaemon(true);
        return thread;
    });
    private final Json json;

    public TideGaugeStub(Json json) {
        this.json = json;
    }

    public URI start() throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        server.createContext("/levels", exchange ->
                replies.schedule(() -> reply(exchange), LATENCY_MICROS, TimeUnit.MICROSECONDS));
        server.start();
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void reply(HttpExchange exchange) {
        try (exchange) {
            String[] query = exchange.getRequestURI().getQuery().split("&");
            LocalDateTime from = LocalDateTime.parse(query[0].substring("from=".length()));
            LocalDateTime until = LocalDateTime.parse(query[1].substring("until=".length()));
            byte[] body = json.write(new TideCurve("Buitenhaven", levels(from, until)));
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (IOException | RuntimeException e) {
            System.getLogger(TideGaugeStub.class.getName()).log(System.Logger.Level.WARNING, "reply failed", e);
        }
    }

    private static List<TideCurve.Level> levels(LocalDateTime from, LocalDateTime until) {
        List<TideCurve.Level> levels = new ArrayList<>();
        for (LocalDateTime at = from; !at.isAfter(until); at = at.plusHours(1)) {
            double hours = at.toEpochSecond(ZoneOffset.UTC) / 3600.0;
            double metres = MEAN_LEVEL + SPRING_RANGE * Math.sin(hours / PERIOD_HOURS * 2 * Math.PI);
            levels.add(new TideCurve.Level(at, Math.round(metres * 100) / 100.0));
        }
        return levels;
    }
}

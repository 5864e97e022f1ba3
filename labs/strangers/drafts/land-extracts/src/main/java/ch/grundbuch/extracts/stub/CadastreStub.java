package ch.grundbuch.extracts.stub;

import ch.grundbuch.extracts.cadastre.CadastreLocation;
import ch.grundbuch.extracts.cadastre.Encumbrance;
import ch.grundbuch.extracts.cadastre.EncumbranceList;
import ch.grundbuch.extracts.cadastre.Parcel;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micronaut.context.annotation.Value;
import io.micronaut.json.JsonMapper;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A cadastre for places from which the real one cannot be reached; it takes about as long to answer. */
@Singleton
public class CadastreStub implements CadastreLocation {

    private static final Logger LOG = LoggerFactory.getLogger(CadastreStub.class);
    private static final String[] COMMUNES = {"Aarau", "Küttigen", "Suhr", "Buchs", "Erlinsbach"};
    private static final String[] COVERS = {"building", "garden", "road", "meadow", "forest"};

    private final JsonMapper json;
    private final long latencyNanos;
    private ScheduledExecutorService replies;
    private HttpServer server;

    public CadastreStub(JsonMapper json, @Value("${cadastre.stub.latency}") Duration latency) {
        this.json = json;
        this.latencyNanos = latency.toNanos();
    }

    @PostConstruct
    void start() throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        replies = Executors.newScheduledThreadPool(2, task -> {
            Thread thread = new Thread(task, "cadastre-stub");
            thread.setDaemon(true);
            return thread;
        });
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        serve("/parcels/", CadastreStub::parcel);
        serve("/encumbrances/", CadastreStub::encumbrances);
        server.start();
    }

    @PreDestroy
    void stop() {
        server.stop(0);
        replies.shutdownNow();
    }

    @Override
    public URI base() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void serve(String prefix, Function<String, Object> answer) {
        server.createContext(prefix, exchange -> {
            String number = exchange.getRequestURI().getPath().substring(prefix.length());
            replies.schedule(() -> reply(exchange, answer.apply(number)), latencyNanos, TimeUnit.NANOSECONDS);
        });
    }

    private void reply(HttpExchange exchange, Object answer) {
        try (exchange) {
            if (answer == null) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            byte[] body = json.writeValueAsBytes(answer);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (IOException e) {
            LOG.warn("Reply failed", e);
        }
    }

    private static Parcel parcel(String number) {
        if (!number.matches("[A-Z]{2}-\\d{1,6}")) {
            return null;
        }
        Random random = new Random(number.hashCode());
        List<Parcel.Cover> covers = new ArrayList<>();
        int total = 0;
        for (String kind : COVERS) {
            int size = 40 + random.nextInt(900);
            if (random.nextInt(3) > 0) {
                covers.add(new Parcel.Cover(kind, size));
                total += size;
            }
        }
        return new Parcel(number, COMMUNES[random.nextInt(COMMUNES.length)], total,
                "W" + (2 + random.nextInt(3)), covers);
    }

    private static EncumbranceList encumbrances(String number) {
        Random random = new Random(number.hashCode() * 31L);
        List<Encumbrance> entries = new ArrayList<>();
        for (int rank = 1; rank <= 2 + random.nextInt(4); rank++) {
            entries.add(new Encumbrance("mortgage", rank, "Bank " + (char) ('A' + random.nextInt(20)),
                    50_000L * (1 + random.nextInt(20)), "20" + (10 + random.nextInt(15)) + "-04-01"));
        }
        entries.add(new Encumbrance("right of way", 0, "parcel " + random.nextInt(4000), 0, "1974-09-12"));
        return new EncumbranceList(number, entries);
    }
}

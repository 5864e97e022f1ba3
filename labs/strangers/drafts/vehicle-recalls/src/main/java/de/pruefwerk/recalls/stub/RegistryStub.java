package de.pruefwerk.recalls.stub;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import de.pruefwerk.recalls.registry.Campaign;
import de.pruefwerk.recalls.registry.CampaignList;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** The recall registry for environments that are not admitted to the real one; as slow as that. */
@Lazy
@Component
public class RegistryStub {

    private static final Logger LOG = LoggerFactory.getLogger(RegistryStub.class);
    private static final String[] DEFECTS = {
        "Airbag inflator may rupture", "Brake hose may chafe", "Seat belt buckle may open", "Fuel pump may leak",
        "Battery cells may overheat", "Rear axle bolts may loosen"};

    private final JsonMapper json;
    private final Duration latency;
    private ScheduledExecutorService replies;
    private HttpServer server;

    public RegistryStub(JsonMapper json, @Value("${stub.latency}") Duration latency) {
        this.json = json;
        this.latency = latency;
    }

    @PostConstruct
    void start() throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        replies = Executors.newScheduledThreadPool(2, Thread.ofPlatform().daemon().name("registry-", 0).factory());
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        server.createContext("/campaigns/", exchange ->
                replies.schedule(() -> reply(exchange), latency.toMillis(), TimeUnit.MILLISECONDS));
        server.start();
    }

    @PreDestroy
    void stop() {
        server.stop(0);
        replies.shutdownNow();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void reply(HttpExchange exchange) {
        try (exchange) {
            String vin = exchange.getRequestURI().getPath().substring("/campaigns/".length());
            byte[] body = json.writeValueAsBytes(new CampaignList(vin, campaigns(vin)));
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (IOException | RuntimeException e) {
            LOG.warn("Reply failed", e);
        }
    }

    private static List<Campaign> campaigns(String vin) {
        Random random = new Random(vin.hashCode());
        List<Campaign> campaigns = new ArrayList<>();
        int count = 2 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            campaigns.add(new Campaign(vin.substring(0, 3) + "-" + (1000 + random.nextInt(9000)), vin.substring(0, 3),
                    LocalDate.of(2018 + random.nextInt(8), 1 + random.nextInt(12), 1 + random.nextInt(28)),
                    DEFECTS[random.nextInt(DEFECTS.length)], "Part is replaced free of charge",
                    1 + random.nextInt(5)));
        }
        return campaigns;
    }
}

package se.skargardslinjen.fares.sandbox;

import java.net.URI;
import java.util.List;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import org.jboss.logging.Logger;

import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Stands in for the port council's dues API where the real one is not to be had. */
@ApplicationScoped
public class PortCouncilSandbox {

    private static final Logger LOG = Logger.getLogger(PortCouncilSandbox.class);

    private static final List<String> PORTS = List.of("Vaxholm", "Grinda", "Möja", "Sandhamn", "Stavsnäs", "Styrsvik",
            "Nynäshamn", "Ålö", "Utö", "Furusund", "Tjockö", "Arholma", "Dalarö", "Ornö");

    private final Vertx vertx;
    private volatile HttpServer server;

    public PortCouncilSandbox(Vertx vertx) {
        this.vertx = vertx;
    }

    void start(@Observes StartupEvent event) {
        server = vertx.createHttpServer()
                .requestHandler(this::answer)
                .listen(0, "127.0.0.1")
                .toCompletionStage().toCompletableFuture().join();
        LOG.infof("port council sandbox at %s", baseUri());
    }

    public URI baseUri() {
        return URI.create("http://127.0.0.1:" + server.actualPort());
    }

    private void answer(HttpServerRequest request) {
        if (!request.path().startsWith("/v3/dues/")) {
            request.response().setStatusCode(404).end();
            return;
        }
        int factor = "SUMMER".equals(request.getParam("season")) ? 3 : 2;
        JsonArray rules = new JsonArray();
        for (int i = 0; i < PORTS.size(); i++) {
            for (int tier = 0; tier < 3; tier++) {
                rules.add(new JsonObject()
                        .put("code", "D" + (100 + i * 10 + tier))
                        .put("port", PORTS.get(i))
                        .put("perPassengerOre", 100 * factor + 50 * tier)
                        .put("perDeckUnitOre", 20 * factor + i)
                        .put("vehicles", vehicles(tier)));
            }
        }
        request.response()
                .putHeader("Content-Type", "application/json")
                .end(new JsonObject().put("edition", "2026-11").put("rules", rules).toBuffer());
    }

    private static JsonArray vehicles(int tier) {
        return switch (tier) {
            case 0 -> new JsonArray();
            case 1 -> new JsonArray().add("CAR").add("CAMPER");
            default -> new JsonArray().add("MOTORCYCLE").add("BICYCLE");
        };
    }
}

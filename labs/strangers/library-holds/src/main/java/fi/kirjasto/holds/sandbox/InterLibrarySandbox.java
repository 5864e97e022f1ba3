package fi.kirjasto.holds.sandbox;

import java.net.URI;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import org.jboss.logging.Logger;

import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Stands in for the national inter-library loan service. */
@ApplicationScoped
public class InterLibrarySandbox {

    private static final Logger LOG = Logger.getLogger(InterLibrarySandbox.class);

    private final Vertx vertx;
    private volatile HttpServer server;

    public InterLibrarySandbox(Vertx vertx) {
        this.vertx = vertx;
    }

    void start(@Observes StartupEvent event) {
        server = vertx.createHttpServer()
                .requestHandler(this::answer)
                .listen(0, "127.0.0.1")
                .toCompletionStage().toCompletableFuture().join();
        LOG.infof("inter-library sandbox at %s", baseUri());
    }

    public URI baseUri() {
        return URI.create("http://127.0.0.1:" + server.actualPort());
    }

    private void answer(HttpServerRequest request) {
        String path = request.path();
        int number = path.charAt(path.length() - 1) - '0';
        if (number % 5 == 4) {
            request.response().setStatusCode(404).end();
            return;
        }
        JsonArray loans = new JsonArray();
        for (int i = 0; i <= number; i++) {
            loans.add(new JsonObject()
                    .put("reference", "KAUKO-" + (3100 + i * 17))
                    .put("library", i % 2 == 0 ? "Oulu" : "Tampere")
                    .put("title", "Kokoelma " + (i + 1))
                    .put("due", "2026-12-" + (10 + i))
                    .put("state", i % 3 == 0 ? "SHIPPED" : "REQUESTED"));
        }
        request.response().putHeader("Content-Type", "application/json").end(loans.toBuffer());
    }
}

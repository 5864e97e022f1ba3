package org.stadtnetz.departures.disruption;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Asks the disruption verticle about lines. */
public class DisruptionClient {

    private final Vertx vertx;

    public DisruptionClient(Vertx vertx) {
        this.vertx = vertx;
    }

    public void disruptions(Set<String> lines, Handler<AsyncResult<Map<String, Disruption>>> handler) {
        String question = String.join(",", new TreeSet<>(lines));
        vertx.eventBus().<JsonObject>request(DisruptionVerticle.STATE, question, answer -> {
            if (answer.failed()) {
                handler.handle(Future.failedFuture(answer.cause()));
                return;
            }
            Map<String, Disruption> disruptions = new HashMap<>();
            JsonObject body = answer.result().body();
            for (String line : body.fieldNames()) {
                JsonObject report = body.getJsonObject(line);
                disruptions.put(line, new Disruption(report.getInteger("delay"), report.getString("note")));
            }
            handler.handle(Future.succeededFuture(disruptions));
        });
    }

    public void report(JsonObject report, Handler<AsyncResult<Void>> handler) {
        vertx.eventBus().request(DisruptionVerticle.REPORT, report, answer -> {
            if (answer.failed()) {
                handler.handle(Future.failedFuture(answer.cause()));
            } else {
                handler.handle(Future.succeededFuture());
            }
        });
    }
}

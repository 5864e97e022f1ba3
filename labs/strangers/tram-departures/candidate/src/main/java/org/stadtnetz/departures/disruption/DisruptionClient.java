package org.stadtnetz.departures.disruption;

import io.vertx.core.Future;
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

    public Future<Map<String, Disruption>> disruptions(Set<String> lines) {
        String question = String.join(",", new TreeSet<>(lines));
        return vertx.eventBus()
                .<JsonObject>request(DisruptionVerticle.STATE, question)
                .map(answer -> byLine(answer.body()));
    }

    private static Map<String, Disruption> byLine(JsonObject body) {
        Map<String, Disruption> disruptions = new HashMap<>();
        for (String line : body.fieldNames()) {
            disruptions.put(line, Disruption.fromJson(body.getJsonObject(line)));
        }
        return disruptions;
    }

    public Future<Void> report(JsonObject report) {
        return vertx.eventBus().request(DisruptionVerticle.REPORT, report).mapEmpty();
    }
}

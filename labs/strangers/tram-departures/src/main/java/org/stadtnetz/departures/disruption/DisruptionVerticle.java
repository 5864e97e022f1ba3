package org.stadtnetz.departures.disruption;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.json.JsonObject;

import java.util.HashMap;
import java.util.Map;

/** Keeps what control reported about lines: delays and diversions. */
public class DisruptionVerticle extends AbstractVerticle {

    public static final String STATE = "disruption.state";
    public static final String REPORT = "disruption.report";

    private final Map<String, JsonObject> reports = new HashMap<>();

    @Override
    public void start() {
        reports.put("4", new JsonObject().put("delay", 3).put("note", "Works at Hafentor"));
        reports.put("11", new JsonObject().put("delay", 7).put("note", "Diverted via Messe"));
        vertx.eventBus().<String>consumer(STATE, message -> {
            JsonObject answer = new JsonObject();
            for (String line : message.body().split(",")) {
                JsonObject report = reports.get(line);
                if (report != null) {
                    answer.put(line, report);
                }
            }
            message.reply(answer);
        });
        vertx.eventBus().<JsonObject>consumer(REPORT, message -> {
            JsonObject report = message.body();
            if (report.getInteger("delay", 0) == 0 && report.getString("note") == null) {
                reports.remove(report.getString("line"));
            } else {
                reports.put(report.getString("line"), new JsonObject()
                        .put("delay", report.getInteger("delay", 0))
                        .put("note", report.getString("note")));
            }
            message.reply(null);
        });
    }
}

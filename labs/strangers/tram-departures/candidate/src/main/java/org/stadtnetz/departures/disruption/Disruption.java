package org.stadtnetz.departures.disruption;

import io.vertx.core.json.JsonObject;

/** How late a line is, and why. */
public record Disruption(int delay, String note) {

    public static final Disruption NONE = new Disruption(0, null);

    static Disruption fromJson(JsonObject report) {
        return new Disruption(report.getInteger("delay"), report.getString("note"));
    }
}

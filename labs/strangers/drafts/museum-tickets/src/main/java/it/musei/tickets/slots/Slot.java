package it.musei.tickets.slots;

import io.vertx.core.json.JsonObject;

/** A time of entry with the places that are left. */
public record Slot(String time, int left, boolean guided) {

    static Slot of(JsonObject json) {
        return new Slot(json.getString("time"), json.getInteger("left"), json.getBoolean("guided", false));
    }

    JsonObject toJson() {
        return new JsonObject().put("time", time).put("left", left).put("guided", guided);
    }
}

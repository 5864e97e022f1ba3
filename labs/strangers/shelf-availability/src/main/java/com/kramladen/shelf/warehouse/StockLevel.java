package com.kramladen.shelf.warehouse;

import io.vertx.core.json.JsonObject;

/** What the warehouse has of one article. */
public record StockLevel(String sku, int onHand, int reserved, int incoming, int incomingInDays) {

    public static StockLevel fromJson(JsonObject json) {
        return new StockLevel(json.getString("sku"), json.getInteger("onHand"), json.getInteger("reserved"),
                json.getInteger("incoming"), json.getInteger("incomingInDays"));
    }

    public JsonObject toJson() {
        return new JsonObject()
                .put("sku", sku)
                .put("onHand", onHand)
                .put("reserved", reserved)
                .put("incoming", incoming)
                .put("incomingInDays", incomingInDays);
    }

    public int free() {
        return Math.max(0, onHand - reserved);
    }
}

package com.postwerk.rates.model;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

import java.util.List;

/** What one carrier asks for the parcel. */
public record Offer(String carrier, String product, int days, int baseCents, List<Charge> charges) {

    public int totalCents() {
        int total = baseCents;
        for (Charge charge : charges) {
            total += charge.cents();
        }
        return total;
    }

    public JsonObject toJson() {
        JsonArray list = new JsonArray();
        for (Charge charge : charges) {
            list.add(new JsonObject().put("code", charge.code()).put("cents", charge.cents()));
        }
        return new JsonObject()
                .put("carrier", carrier)
                .put("product", product)
                .put("days", days)
                .put("base", baseCents)
                .put("charges", list)
                .put("total", totalCents());
    }

    public record Charge(String code, int cents) {
    }
}

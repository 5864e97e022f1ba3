package com.kramladen.shelf.availability;

import com.kramladen.shelf.catalogue.Product;
import com.kramladen.shelf.delivery.Promise;
import io.vertx.core.json.JsonObject;

public record Availability(Product product, String store, Promise promise) {

    public JsonObject toJson() {
        return new JsonObject()
                .put("sku", product.sku())
                .put("title", product.title())
                .put("store", store)
                .put("state", promise.kind().name())
                .put("earliest", promise.earliest() == null ? null : promise.earliest().toString())
                .put("quantity", promise.quantity());
    }
}

package com.kramladen.shelf.warehouse;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import io.vertx.core.buffer.Buffer;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Speaks the protocol of the warehouse's stock service. */
public class WarehouseClient {

    private static final long TIMEOUT_MS = 15_000;

    private final WebClient client;

    public WarehouseClient(Vertx vertx, String host, int port, int connections) {
        this.client = WebClient.create(vertx, new WebClientOptions()
                .setDefaultHost(host)
                .setDefaultPort(port)
                .setMaxPoolSize(connections)
                .setKeepAlive(true)
                .setUserAgent("shelf-availability"));
    }

    public Future<Map<String, StockLevel>> levels(Collection<String> skus) {
        return client.post("/stock/query")
                .timeout(TIMEOUT_MS)
                .sendJsonObject(new JsonObject().put("skus", new JsonArray(List.copyOf(skus))))
                .map(WarehouseClient::levels);
    }

    private static Map<String, StockLevel> levels(HttpResponse<Buffer> response) {
        if (response.statusCode() != 200) {
            throw new WarehouseUnavailable("answered " + response.statusCode());
        }
        JsonArray list = response.bodyAsJsonObject().getJsonArray("levels");
        Map<String, StockLevel> levels = new HashMap<>();
        for (int i = 0; i < list.size(); i++) {
            StockLevel level = StockLevel.fromJson(list.getJsonObject(i));
            levels.put(level.sku(), level);
        }
        return levels;
    }
}

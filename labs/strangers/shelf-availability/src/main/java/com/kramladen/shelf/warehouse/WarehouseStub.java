package com.kramladen.shelf.warehouse;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;

/** Stands in for the warehouse's stock service, with the same protocol. */
public class WarehouseStub extends AbstractVerticle {

    private final int port;
    private volatile int actualPort;

    public WarehouseStub(int port) {
        this.port = port;
    }

    public int actualPort() {
        return actualPort;
    }

    @Override
    public void start(Promise<Void> started) {
        Router router = Router.router(vertx);
        router.post("/stock/query").handler(BodyHandler.create(false)).handler(this::query);
        vertx.createHttpServer()
                .requestHandler(router)
                .listen(port, "127.0.0.1")
                .map(HttpServer::actualPort)
                .onSuccess(actual -> actualPort = actual)
                .<Void>mapEmpty()
                .onComplete(started);
    }

    private void query(RoutingContext context) {
        JsonArray levels = new JsonArray();
        JsonArray skus = context.body().asJsonObject().getJsonArray("skus");
        for (int i = 0; i < skus.size(); i++) {
            levels.add(level(skus.getString(i)).toJson());
        }
        context.json(new JsonObject().put("levels", levels));
    }

    private static StockLevel level(String sku) {
        int seed = sku.hashCode() & 0x7fff_ffff;
        int onHand = seed % 97;
        return new StockLevel(sku, onHand, seed % 11, 24 + seed % 60, 2 + seed % 9);
    }
}

package com.kramladen.shelf.warehouse;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Collects what is asked about at the same time and sends it to the warehouse as one query. An article
 * that several callers ask about is queried once. Belongs to one verticle and is used from its event
 * loop only.
 */
public class StockRequestCollector implements StockSource {

    private final Vertx vertx;
    private final WarehouseClient warehouse;
    private final CollectorOptions options;

    private Map<String, Promise<StockLevel>> pending = new LinkedHashMap<>();
    private long timer = -1;

    public StockRequestCollector(Vertx vertx, WarehouseClient warehouse, CollectorOptions options) {
        this.vertx = vertx;
        this.warehouse = warehouse;
        this.options = options;
    }

    @Override
    public Future<StockLevel> level(String sku) {
        Promise<StockLevel> promise = pending.computeIfAbsent(sku, key -> Promise.promise());
        if (pending.size() >= options.largestQuery()) {
            send();
        } else if (timer < 0) {
            timer = vertx.setTimer(options.windowMillis(), id -> send());
        }
        return promise.future();
    }

    private void send() {
        vertx.cancelTimer(timer);
        timer = -1;
        Map<String, Promise<StockLevel>> batch = pending;
        pending = new LinkedHashMap<>();
        warehouse.levels(batch.keySet())
                .onSuccess(levels -> batch.forEach((sku, promise) -> {
                    StockLevel level = levels.get(sku);
                    if (level == null) {
                        promise.fail(new WarehouseUnavailable("did not tell the level of " + sku));
                    } else {
                        promise.complete(level);
                    }
                }))
                .onFailure(failure -> batch.values().forEach(promise -> promise.fail(failure)));
    }
}

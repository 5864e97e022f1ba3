package com.kramladen.shelf.warehouse;

import io.vertx.core.Future;

import java.util.List;

/** Asks the warehouse about the one article. */
public class WarehouseStockSource implements StockSource {

    private final WarehouseClient warehouse;

    public WarehouseStockSource(WarehouseClient warehouse) {
        this.warehouse = warehouse;
    }

    @Override
    public Future<StockLevel> level(String sku) {
        return warehouse.levels(List.of(sku)).map(levels -> {
            StockLevel level = levels.get(sku);
            if (level == null) {
                throw new WarehouseUnavailable("did not tell the level of " + sku);
            }
            return level;
        });
    }
}

package com.kramladen.shelf.warehouse;

import io.vertx.core.Future;

/** Where stock levels come from. */
public interface StockSource {

    Future<StockLevel> level(String sku);
}

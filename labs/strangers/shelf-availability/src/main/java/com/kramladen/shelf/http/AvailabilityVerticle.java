package com.kramladen.shelf.http;

import com.kramladen.shelf.Settings;
import com.kramladen.shelf.availability.AvailabilityService;
import com.kramladen.shelf.catalogue.Catalogue;
import com.kramladen.shelf.warehouse.StockSource;
import com.kramladen.shelf.warehouse.WarehouseClient;
import com.kramladen.shelf.warehouse.WarehouseStockSource;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Promise;
import io.vertx.ext.web.Router;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public class AvailabilityVerticle extends AbstractVerticle {

    private static final Logger LOG = LoggerFactory.getLogger(AvailabilityVerticle.class);

    private final Settings settings;

    public AvailabilityVerticle(Settings settings) {
        this.settings = settings;
    }

    @Override
    public void start(Promise<Void> started) {
        Catalogue catalogue = Catalogue.load();
        LOG.info("{} products in the catalogue", catalogue.size());
        WarehouseClient warehouse = new WarehouseClient(vertx, "127.0.0.1", settings.warehousePort(),
                settings.warehouseConnections());
        StockSource stock = new WarehouseStockSource(warehouse);
        AvailabilityHandler handler = new AvailabilityHandler(new AvailabilityService(catalogue, stock));

        Router router = Router.router(vertx);
        router.get("/products/:sku/availability").handler(handler);
        router.get("/health").handler(context -> context.end("ok"));
        router.route().failureHandler(new FailureHandler());
        vertx.createHttpServer()
                .requestHandler(router)
                .listen(settings.port())
                .<Void>mapEmpty()
                .onComplete(started);
    }
}

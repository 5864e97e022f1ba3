package com.kramladen.shelf;

import com.kramladen.shelf.http.AvailabilityVerticle;
import com.kramladen.shelf.warehouse.WarehouseStub;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public final class Main {

    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    private Main() {
    }

    public static void main(String[] args) {
        Settings settings = Settings.fromEnvironment();
        Vertx vertx = Vertx.vertx();
        WarehouseStub warehouse = new WarehouseStub(settings.warehousePort());
        vertx.deployVerticle(warehouse)
                .compose(id -> vertx.deployVerticle(
                        () -> new AvailabilityVerticle(settings.withWarehousePort(warehouse.actualPort())),
                        new DeploymentOptions().setInstances(settings.instances())))
                .onSuccess(id -> LOG.info("Shelf availability listening on port {}", settings.port()))
                .onFailure(failure -> {
                    LOG.error("Could not start", failure);
                    vertx.close().onComplete(done -> System.exit(1));
                });
    }
}

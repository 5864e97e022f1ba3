package com.postwerk.rates;

import com.postwerk.rates.http.RatesVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public final class Main {

    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    private Main() {
    }

    public static void main(String[] args) {
        Settings settings = Settings.fromEnvironment();
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(settings.instances()));
        vertx.deployVerticle(() -> new RatesVerticle(settings), new DeploymentOptions().setInstances(settings.instances()))
                .onSuccess(id -> LOG.info("Parcel rates listening on port {} with {} instances",
                        settings.port(), settings.instances()))
                .onFailure(failure -> {
                    LOG.error("Could not start", failure);
                    vertx.close().onComplete(done -> System.exit(1));
                });
    }
}

package com.postwerk.rates.http;

import com.postwerk.rates.Settings;
import com.postwerk.rates.pricing.RateCalculator;
import com.postwerk.rates.refdata.ReferenceData;
import com.postwerk.rates.refdata.ReferenceDataLoader;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public class RatesVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(RatesVerticle.class);

    private final Settings settings;

    public RatesVerticle(Settings settings) {
        this.settings = settings;
    }

    @Override
    public Future<?> start() {
        ReferenceData data = new ReferenceData();
        ReferenceDataLoader loader = new ReferenceDataLoader(vertx, settings.referenceFolder());
        vertx.eventBus().consumer(ReferenceDataLoader.RELOAD, message -> loader.loadInto(data)
                .onFailure(failure -> LOG.warn("Reference data kept as it was", failure)));
        return loader.loadInto(data).compose(loaded -> listen(data));
    }

    private Future<?> listen(ReferenceData data) {
        Router router = Router.router(vertx);
        router.get("/rates").handler(new RateHandler(new RateCalculator(data), data));
        router.post("/admin/reload").handler(context -> {
            vertx.eventBus().publish(ReferenceDataLoader.RELOAD, "");
            context.response().setStatusCode(202).end();
        });
        router.get("/health").handler(context -> context.end("ok"));
        router.route().failureHandler(new ProblemHandler());
        return vertx.createHttpServer(new HttpServerOptions().setPort(settings.port()).setCompressionSupported(false))
                .requestHandler(router)
                .listen();
    }
}

package com.postwerk.rates.http;

import com.postwerk.rates.Settings;
import com.postwerk.rates.pricing.RateCalculator;
import com.postwerk.rates.refdata.ReferenceData;
import com.postwerk.rates.refdata.ReferenceDataLoader;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;

public class RatesVerticle extends VerticleBase {

    private final Settings settings;

    public RatesVerticle(Settings settings) {
        this.settings = settings;
    }

    @Override
    public Future<?> start() {
        ReferenceData data = new ReferenceData(vertx.sharedData());
        Router router = Router.router(vertx);
        router.get("/rates").handler(new RateHandler(new RateCalculator(data), data));
        router.post("/admin/reload").handler(context -> vertx.eventBus()
                .<String>request(ReferenceDataLoader.RELOAD, "")
                .onSuccess(edition -> context.json(new JsonObject().put("edition", edition.body())))
                .onFailure(context::fail));
        router.get("/health").handler(context -> context.end("ok"));
        router.route().failureHandler(new ProblemHandler());
        return vertx.createHttpServer(new HttpServerOptions().setPort(settings.port()).setCompressionSupported(false))
                .requestHandler(router)
                .listen();
    }
}

package com.postwerk.rates.refdata;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Owns the reference data: loads it before the first request and again when told to. */
public class ReferenceDataVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(ReferenceDataVerticle.class);

    private final String folder;

    public ReferenceDataVerticle(String folder) {
        this.folder = folder;
    }

    @Override
    public Future<?> start() {
        ReferenceData data = new ReferenceData(vertx.sharedData());
        ReferenceDataLoader loader = new ReferenceDataLoader(vertx, folder);
        vertx.eventBus().consumer(ReferenceDataLoader.RELOAD, message -> loader.loadInto(data)
                .onSuccess(loaded -> message.reply(data.edition()))
                .onFailure(failure -> {
                    LOG.warn("Reference data kept as it was", failure);
                    message.fail(503, failure.getMessage());
                }));
        return loader.loadInto(data);
    }
}

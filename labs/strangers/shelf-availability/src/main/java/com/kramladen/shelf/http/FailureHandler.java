package com.kramladen.shelf.http;

import com.kramladen.shelf.availability.UnknownProduct;
import com.kramladen.shelf.warehouse.WarehouseUnavailable;
import io.vertx.core.Handler;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class FailureHandler implements Handler<RoutingContext> {

    private static final Logger LOG = LoggerFactory.getLogger(FailureHandler.class);

    @Override
    public void handle(RoutingContext context) {
        Throwable failure = context.failure();
        if (failure instanceof UnknownProduct) {
            answer(context, 404, failure.getMessage());
        } else if (failure instanceof WarehouseUnavailable) {
            LOG.warn("{}: {}", context.request().uri(), failure.getMessage());
            answer(context, 503, failure.getMessage());
        } else if (failure != null) {
            LOG.error("{} failed", context.request().uri(), failure);
            answer(context, 500, "internal error");
        } else {
            answer(context, context.statusCode(), "bad request");
        }
    }

    private static void answer(RoutingContext context, int status, String detail) {
        context.response()
                .setStatusCode(status)
                .putHeader("Content-Type", "application/json")
                .end(new JsonObject().put("error", detail).encode());
    }
}

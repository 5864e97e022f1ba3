package com.postwerk.rates.http;

import com.postwerk.rates.model.InvalidParcel;
import io.vertx.core.Handler;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class ProblemHandler implements Handler<RoutingContext> {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);

    @Override
    public void handle(RoutingContext context) {
        Throwable failure = context.failure();
        if (failure instanceof InvalidParcel) {
            answer(context, 422, failure.getMessage());
        } else if (failure != null) {
            LOG.error("{} {} failed", context.request().method(), context.request().uri(), failure);
            answer(context, 500, "internal error");
        } else {
            answer(context, context.statusCode(), "no such resource");
        }
    }

    private static void answer(RoutingContext context, int status, String detail) {
        context.response()
                .setStatusCode(status)
                .putHeader("Content-Type", "application/problem+json")
                .end(new JsonObject().put("status", status).put("detail", detail).encode());
    }
}

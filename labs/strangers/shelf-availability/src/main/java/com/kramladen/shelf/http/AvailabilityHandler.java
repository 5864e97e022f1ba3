package com.kramladen.shelf.http;

import com.kramladen.shelf.availability.AvailabilityService;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

import java.time.LocalDate;
import java.time.format.DateTimeParseException;

class AvailabilityHandler implements Handler<RoutingContext> {

    private final AvailabilityService service;

    AvailabilityHandler(AvailabilityService service) {
        this.service = service;
    }

    @Override
    public void handle(RoutingContext context) {
        String store = context.queryParams().get("store");
        LocalDate day = day(context.queryParams().get("day"));
        if (store == null || day == null) {
            context.fail(400);
            return;
        }
        service.of(context.pathParam("sku"), store, day)
                .onSuccess(availability -> context.json(availability.toJson()))
                .onFailure(context::fail);
    }

    private static LocalDate day(String text) {
        if (text == null) {
            return LocalDate.now();
        }
        try {
            return LocalDate.parse(text);
        } catch (DateTimeParseException e) {
            return null;
        }
    }
}

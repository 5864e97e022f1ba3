package com.druckwerk.quotes.web;

import com.druckwerk.quotes.metering.UsageMeter;
import com.druckwerk.quotes.order.PrintJob;
import com.druckwerk.quotes.order.Quote;
import com.druckwerk.quotes.pricing.QuoteCalculator;
import io.javalin.http.Context;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public final class QuoteEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(QuoteEndpoint.class);

    private final QuoteCalculator calculator;
    private final UsageMeter meter;

    public QuoteEndpoint(QuoteCalculator calculator, UsageMeter meter) {
        this.calculator = calculator;
        this.meter = meter;
    }

    public void quote(Context ctx) {
        String reseller = ctx.pathParam("reseller");
        meter.check(reseller);
        PrintJob job = calculator.job(
                ctx.pathParam("product"),
                number(ctx, "copies", 1_000),
                number(ctx, "pages", null),
                number(ctx, "grammage", null),
                !"black".equals(ctx.queryParam("ink")));
        Quote quote = calculator.quote(reseller, job);
        meter.record(reseller, quote);
        LOG.debug("{} quoted to {}", job, reseller);
        ctx.json(quote);
    }

    private static Integer number(Context ctx, String name, Integer fallback) {
        String text = ctx.queryParam(name);
        if (text == null || text.isBlank()) {
            return fallback;
        }
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is not a number");
        }
    }
}

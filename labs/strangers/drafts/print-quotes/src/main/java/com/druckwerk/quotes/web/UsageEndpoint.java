package com.druckwerk.quotes.web;

import com.druckwerk.quotes.metering.UsageMeter;
import io.javalin.http.Context;
import java.util.Map;

public final class UsageEndpoint {

    private final UsageMeter meter;

    public UsageEndpoint(UsageMeter meter) {
        this.meter = meter;
    }

    public void usage(Context ctx) {
        String reseller = ctx.pathParam("reseller");
        ctx.json(Map.of("reseller", reseller, "positions", meter.usage(reseller)));
    }
}

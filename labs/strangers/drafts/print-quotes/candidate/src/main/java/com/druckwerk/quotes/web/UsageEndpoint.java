package com.druckwerk.quotes.web;

import com.druckwerk.quotes.metering.UsageMeter;
import io.javalin.http.Context;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public final class UsageEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(UsageEndpoint.class);

    private final UsageMeter meter;

    public UsageEndpoint(UsageMeter meter) {
        this.meter = meter;
    }

    public void usage(Context ctx) {
        String reseller = ctx.pathParam("reseller");
        Map<String, Long> positions = meter.usage(reseller);
        LOG.debug("{} asked for its usage: {}", reseller, positions);
        ctx.json(Map.of("reseller", reseller, "positions", positions));
    }
}

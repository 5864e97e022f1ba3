package org.vogelwarte.sightings.web;

import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.vogelwarte.sightings.data.SightingStore;
import org.vogelwarte.sightings.report.HotspotReport;
import org.vogelwarte.sightings.report.HotspotReporter;

public final class HotspotController {

    private static final Logger LOG = LoggerFactory.getLogger(HotspotController.class);
    private static final int DEFAULT_YEAR = 2024;

    private final SightingStore store;
    private final HotspotReporter reporter;

    public HotspotController(SightingStore store, HotspotReporter reporter) {
        this.store = store;
        this.reporter = reporter;
    }

    public void list(Context ctx) {
        ctx.json(store.hotspots());
    }

    public void report(Context ctx) {
        String hotspot = ctx.pathParam("hotspot");
        if (!store.knowsHotspot(hotspot)) {
            throw new NotFoundResponse("No such hotspot: " + hotspot);
        }
        HotspotReport report = reporter.report(hotspot, year(ctx.queryParam("year")));
        LOG.debug("Report for {} in {}: {} sightings", hotspot, report.year(), report.sightings());
        ctx.json(report);
    }

    private static int year(String text) {
        if (text == null) {
            return DEFAULT_YEAR;
        }
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new BadRequestResponse("Not a year: " + text);
        }
    }
}

package org.vogelwarte.sightings.web;

import io.javalin.apibuilder.ApiBuilder;
import io.javalin.config.JavalinConfig;
import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.vogelwarte.sightings.data.SightingStore;
import org.vogelwarte.sightings.model.Species;
import org.vogelwarte.sightings.report.HotspotReport;
import org.vogelwarte.sightings.report.HotspotReporter;
import org.vogelwarte.sightings.report.SeasonReporter;

import java.util.LinkedHashMap;
import java.util.Map;

public class SightingsApi {

    private static final Logger LOG = LoggerFactory.getLogger(SightingsApi.class);

    private final SightingStore store;
    private final HotspotReporter hotspotReporter;
    private final SeasonReporter seasonReporter;

    public SightingsApi(SightingStore store, HotspotReporter hotspotReporter, SeasonReporter seasonReporter) {
        this.store = store;
        this.hotspotReporter = hotspotReporter;
        this.seasonReporter = seasonReporter;
    }

    public void register(JavalinConfig config) {
        config.router.apiBuilder(() -> {
            ApiBuilder.get("/health", ctx -> ctx.result("UP"));
            ApiBuilder.get("/hotspots", ctx -> ctx.json(store.hotspots()));
            ApiBuilder.get("/hotspots/{hotspot}/report", this::report);
            ApiBuilder.get("/species/{species}/season", this::season);
        });
    }

    private void report(Context ctx) {
        String hotspot = ctx.pathParam("hotspot");
        if (!store.hotspots().contains(hotspot)) {
            throw new NotFoundResponse("No such hotspot: " + hotspot);
        }
        String yearParam = ctx.queryParam("year");
        int year;
        try {
            year = yearParam == null ? 2024 : Integer.parseInt(yearParam);
        } catch (NumberFormatException e) {
            throw new BadRequestResponse("Not a year: " + yearParam);
        }
        HotspotReport report = hotspotReporter.report(hotspot, year);
        LOG.debug("Report for {} in {}: {} sightings", hotspot, year, report.getSightings());
        ctx.json(report);
    }

    private void season(Context ctx) {
        Species species;
        try {
            species = Species.ofKey(ctx.pathParam("species"));
        } catch (IllegalArgumentException e) {
            throw new NotFoundResponse(e.getMessage());
        }
        Map<String, Object> season = new LinkedHashMap<>();
        season.put("species", species.key());
        season.put("scientificName", species.scientificName());
        season.put("migrant", species.migrant());
        season.put("birds", seasonReporter.birdsByMonth(species.key()));
        ctx.json(season);
    }
}

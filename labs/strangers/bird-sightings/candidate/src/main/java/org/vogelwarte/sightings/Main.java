package org.vogelwarte.sightings;

import io.javalin.Javalin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.vogelwarte.sightings.data.SampleSightings;
import org.vogelwarte.sightings.data.SightingStore;
import org.vogelwarte.sightings.report.HotspotReporter;
import org.vogelwarte.sightings.report.SeasonReporter;
import org.vogelwarte.sightings.web.HotspotController;
import org.vogelwarte.sightings.web.SpeciesController;

import static io.javalin.apibuilder.ApiBuilder.get;
import static io.javalin.apibuilder.ApiBuilder.path;

public final class Main {

    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    private Main() {
    }

    public static void main(String[] args) {
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
        SightingStore store = new SightingStore();
        new SampleSightings().addTo(store);

        HotspotController hotspots = new HotspotController(store, new HotspotReporter(store));
        SpeciesController species = new SpeciesController(new SeasonReporter(store));
        Javalin app = Javalin.create(config -> {
            config.showJavalinBanner = false;
            config.router.apiBuilder(() -> {
                get("/health", ctx -> ctx.result("UP"));
                path("/hotspots", () -> {
                    get(hotspots::list);
                    get("/{hotspot}/report", hotspots::report);
                });
                get("/species/{species}/season", species::season);
            });
        });
        app.start(port);
        Runtime.getRuntime().addShutdownHook(new Thread(app::stop, "shutdown"));
        LOG.info("{} sightings served on port {}", store.size(), app.port());
    }
}

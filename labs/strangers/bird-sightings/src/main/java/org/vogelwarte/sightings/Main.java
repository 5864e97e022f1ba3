package org.vogelwarte.sightings;

import io.javalin.Javalin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.vogelwarte.sightings.data.SampleSightings;
import org.vogelwarte.sightings.data.SightingStore;
import org.vogelwarte.sightings.report.HotspotReporter;
import org.vogelwarte.sightings.report.SeasonReporter;
import org.vogelwarte.sightings.web.SightingsApi;

public class Main {

    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    public static void main(String[] args) {
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
        SightingStore store = new SightingStore();
        new SampleSightings().addTo(store);
        SightingsApi api = new SightingsApi(store, new HotspotReporter(store), new SeasonReporter(store));
        Javalin app = Javalin.create(config -> {
            config.showJavalinBanner = false;
            api.register(config);
        });
        app.start(port);
        LOG.info("{} sightings served on port {}", store.size(), app.port());
    }
}

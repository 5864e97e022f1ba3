package com.gridhub.curves;

import com.gridhub.curves.http.CurveResource;
import com.gridhub.curves.http.SiteResource;
import com.gridhub.curves.http.StoreResource;
import com.gridhub.curves.profile.ProfileService;
import com.gridhub.curves.site.SiteRegistry;
import com.gridhub.curves.store.SampleImport;
import com.gridhub.curves.store.SegmentStore;
import io.helidon.http.Status;
import io.helidon.logging.common.LogConfig;
import io.helidon.webserver.WebServer;

import java.time.LocalDate;

public final class Main {

    private static final System.Logger LOG = System.getLogger(Main.class.getName());
    private static final LocalDate FIRST_DAY = LocalDate.of(2025, 3, 1);
    private static final int DAYS = 62;

    private Main() {
    }

    public static void main(String[] args) {
        LogConfig.configureRuntime();
        int port = Integer.parseInt(System.getenv().getOrDefault("SERVER_PORT", "8080"));

        SiteRegistry sites = SiteRegistry.withDefaults();
        SegmentStore store = new SegmentStore();
        new SampleImport(store).importDays(sites, FIRST_DAY, DAYS);
        ProfileService profiles = new ProfileService(sites, store);

        WebServer server = WebServer.builder()
                .port(port)
                .routing(routing -> routing
                        .register("/sites", new SiteResource(sites), new CurveResource(profiles))
                        .register("/store", new StoreResource(store))
                        .get("/health", (req, res) -> res.send("UP"))
                        .error(IllegalArgumentException.class,
                                (req, res, e) -> res.status(Status.BAD_REQUEST_400).send(e.getMessage())))
                .build()
                .start();
        LOG.log(System.Logger.Level.INFO, "Meter curves listen on port {0}, {1} segments in store",
                String.valueOf(server.port()), String.valueOf(store.size()));
    }
}

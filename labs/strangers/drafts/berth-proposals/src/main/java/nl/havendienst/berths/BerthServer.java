package nl.havendienst.berths;

import io.helidon.webserver.WebServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import nl.havendienst.berths.plan.BerthPlan;
import nl.havendienst.berths.plan.HarbourLayout;
import nl.havendienst.berths.plan.ProposalService;
import nl.havendienst.berths.tide.TideClient;
import nl.havendienst.berths.tide.TideGaugeStub;
import nl.havendienst.berths.web.BerthRoutes;
import nl.havendienst.berths.web.Json;

/** Starts the service that proposes berths for ships that announce themselves. */
public final class BerthServer {

    private static final Logger LOG = Logger.getLogger(BerthServer.class.getName());

    private BerthServer() {
    }

    public static void main(String[] args) throws IOException {
        configureLogging();
        Json json = new Json();
        TideClient tides = new TideClient(tideService(json), json);
        BerthPlan plan = new BerthPlan(HarbourLayout.berths());
        HarbourLayout.plannedStays().forEach(plan::enter);
        ProposalService proposals = new ProposalService(plan, tides);

        WebServer server = WebServer.builder()
                .port(port())
                .routing(routing -> routing.register("/berths", new BerthRoutes(proposals, plan, json)))
                .build()
                .start();
        LOG.info(() -> "Berth proposals on port " + server.port());
    }

    private static URI tideService(Json json) throws IOException {
        String configured = System.getenv("TIDE_SERVICE_URL");
        if (configured != null) {
            return URI.create(configured);
        }
        return new TideGaugeStub(json).start();
    }

    private static int port() {
        String configured = System.getenv("BERTHS_PORT");
        return configured == null || configured.isBlank() ? 8080 : Integer.parseInt(configured);
    }

    private static void configureLogging() {
        try (InputStream in = BerthServer.class.getResourceAsStream("/logging.properties")) {
            LogManager.getLogManager().readConfiguration(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

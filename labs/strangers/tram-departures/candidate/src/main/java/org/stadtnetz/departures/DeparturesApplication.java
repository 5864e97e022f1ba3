package org.stadtnetz.departures;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.stadtnetz.departures.disruption.DisruptionVerticle;
import org.stadtnetz.departures.http.BoardVerticle;
import org.stadtnetz.departures.timetable.Timetable;
import org.stadtnetz.departures.timetable.TimetableReader;

public final class DeparturesApplication {

    private static final Logger LOG = LoggerFactory.getLogger(DeparturesApplication.class);

    private DeparturesApplication() {
    }

    public static void main(String[] args) {
        String setting = System.getenv("DEPARTURES_PORT");
        int port = setting == null ? 8080 : Integer.parseInt(setting);
        Timetable timetable = new TimetableReader().read("/timetable/lines.csv");
        LOG.info("Timetable with {} stops", timetable.stops().size());

        Vertx vertx = Vertx.vertx();
        DeploymentOptions twice = new DeploymentOptions().setInstances(2);
        vertx.deployVerticle(new DisruptionVerticle())
                .compose(id -> vertx.deployVerticle(() -> new BoardVerticle(timetable, port), twice))
                .onSuccess(id -> LOG.info("Departures listening on port {}", port))
                .onFailure(cause -> {
                    LOG.error("Could not start", cause);
                    System.exit(1);
                });
    }
}

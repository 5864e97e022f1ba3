package it.musei.tickets;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import it.musei.tickets.museum.MuseumRegister;
import it.musei.tickets.slots.SlotServiceStub;
import it.musei.tickets.web.TicketVerticle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the service that offers museum tickets for a day. */
public final class TicketServer {

    private static final Logger LOG = LoggerFactory.getLogger(TicketServer.class);
    private static final int INSTANCES = 2;

    private TicketServer() {
    }

    public static void main(String[] args) {
        Vertx vertx = Vertx.vertx();
        int port = port();
        MuseumRegister museums = new MuseumRegister();
        slotService(vertx)
                .compose(slotPort -> vertx.deployVerticle(
                        () -> new TicketVerticle(port, slotPort, museums),
                        new DeploymentOptions().setInstances(INSTANCES)))
                .onSuccess(id -> LOG.info("Museum tickets on port {}", port))
                .onFailure(failure -> {
                    LOG.error("Not started", failure);
                    vertx.close();
                });
    }

    private static Future<Integer> slotService(Vertx vertx) {
        String configured = System.getenv("SLOT_SERVICE_PORT");
        if (configured != null) {
            return Future.succeededFuture(Integer.valueOf(configured));
        }
        SlotServiceStub stub = new SlotServiceStub();
        return vertx.deployVerticle(stub).map(id -> stub.port());
    }

    private static int port() {
        String configured = System.getenv("HTTP_PORT");
        return configured == null || configured.isBlank() ? 8080 : Integer.parseInt(configured);
    }
}

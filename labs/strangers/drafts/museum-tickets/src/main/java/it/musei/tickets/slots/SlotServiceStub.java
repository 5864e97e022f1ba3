package it.musei.tickets.slots;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import java.time.LocalDate;

/** Stands in for the operators' slot service on a port of its own. */
public final class SlotServiceStub extends VerticleBase {

    private static final long LATENCY_MILLIS = 2;

    private HttpServer server;

    @Override
    public Future<?> start() {
        server = vertx.createHttpServer().requestHandler(this::answer);
        return server.listen(0, "127.0.0.1");
    }

    public int port() {
        return server.actualPort();
    }

    private void answer(HttpServerRequest request) {
        String museum = request.path().substring(request.path().lastIndexOf('/') + 1);
        LocalDate date = LocalDate.parse(request.getParam("date"));
        vertx.setTimer(LATENCY_MILLIS, timer -> request.response()
                .putHeader("Content-Type", "application/json")
                .end(slots(museum, date).toBuffer()));
    }

    private static JsonArray slots(String museum, LocalDate date) {
        JsonArray slots = new JsonArray();
        int seed = Math.abs((museum + date).hashCode());
        for (int half = 18; half < 36; half++) {
            String time = String.format("%02d:%02d", half / 2, half % 2 * 30);
            slots.add(new Slot(time, (seed >> half % 7) % 45, half % 4 == 0).toJson());
        }
        return slots;
    }
}

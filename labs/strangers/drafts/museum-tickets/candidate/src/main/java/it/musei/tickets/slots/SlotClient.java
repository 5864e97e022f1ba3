package it.musei.tickets.slots;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpResponseExpectation;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import it.musei.tickets.museum.Museum;
import java.time.LocalDate;
import java.util.List;

/** Asks the operators' slot service what is left on a day. */
public final class SlotClient {

    private final Vertx vertx;
    private final OperatorAccess access;

    public SlotClient(Vertx vertx, OperatorAccess access) {
        this.vertx = vertx;
        this.access = access;
    }

    public Future<List<Slot>> slots(Museum museum, LocalDate date) {
        String operator = museum.operator();
        WebClient client = WebClient.create(vertx, access.optionsFor(operator));
        return client.get("/operators/" + operator + "/slots/" + museum.id())
                .addQueryParam("date", date.toString())
                .timeout(access.timeoutMillis(operator))
                .send()
                .expecting(HttpResponseExpectation.SC_OK)
                .map(SlotClient::read)
                .onComplete(done -> client.close());
    }

    private static List<Slot> read(HttpResponse<?> response) {
        return response.bodyAsJsonArray().stream()
                .map(item -> Slot.of((JsonObject) item))
                .toList();
    }
}

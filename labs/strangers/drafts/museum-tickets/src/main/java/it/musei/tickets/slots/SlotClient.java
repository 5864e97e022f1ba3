package it.musei.tickets.slots;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpResponseExpectation;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import it.musei.tickets.museum.Museum;
import java.time.LocalDate;
import java.util.List;

/** Asks the operators' slot service what is left on a day. */
public final class SlotClient {

    private static final int TIMEOUT_MILLIS = 4_000;

    private final WebClient client;

    public SlotClient(Vertx vertx, int port) {
        this.client = WebClient.create(vertx, new WebClientOptions()
                .setDefaultHost("127.0.0.1")
                .setDefaultPort(port)
                .setConnectTimeout(TIMEOUT_MILLIS)
                .setUserAgent("museum-tickets"));
    }

    public Future<List<Slot>> slots(Museum museum, LocalDate date) {
        return client.get("/operators/" + museum.operator() + "/slots/" + museum.id())
                .addQueryParam("date", date.toString())
                .timeout(TIMEOUT_MILLIS)
                .send()
                .expecting(HttpResponseExpectation.SC_OK)
                .map(SlotClient::read);
    }

    private static List<Slot> read(HttpResponse<?> response) {
        return response.bodyAsJsonArray().stream()
                .map(item -> Slot.of((JsonObject) item))
                .toList();
    }
}

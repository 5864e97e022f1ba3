package eu.quayside.freight.carrier;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import com.fasterxml.jackson.databind.JsonNode;

import eu.quayside.freight.quote.Quote;
import eu.quayside.freight.quote.Shipment;
import eu.quayside.freight.sandbox.CarrierSandboxes;
import jakarta.inject.Singleton;

/** North Star gives a price per tonne for each of its sailings. */
@Singleton
public class NorthStarCarrier implements Carrier {

    private final CarrierHttp http;
    private final CarrierSandboxes sandboxes;

    public NorthStarCarrier(CarrierHttp http, CarrierSandboxes sandboxes) {
        this.http = http;
        this.sandboxes = sandboxes;
    }

    @Override
    public String name() {
        return "North Star";
    }

    @Override
    public CompletableFuture<List<Quote>> quotes(Shipment shipment) {
        String path = "/api/sailings/" + shipment.from().code() + "/" + shipment.to().code();
        return http.get(sandboxes.northStar().resolve(path)).thenApply(answer -> {
            List<Quote> quotes = new ArrayList<>();
            for (JsonNode sailing : answer.path("sailings")) {
                quotes.add(new Quote(name(), sailing.path("vessel").asText(),
                        sailing.path("centsPerTonne").asInt() * shipment.tonnesRoundedUp(),
                        sailing.path("days").asInt(), sailing.path("via").isTextual()));
            }
            return quotes;
        });
    }
}

package eu.quayside.freight.carrier;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import com.fasterxml.jackson.databind.JsonNode;

import eu.quayside.freight.quote.Quote;
import eu.quayside.freight.quote.Shipment;
import eu.quayside.freight.sandbox.CarrierSandboxes;
import jakarta.inject.Singleton;

/** Meridian quotes whole shipments in euro, with surcharges listed apart. */
@Singleton
public class MeridianCarrier implements Carrier {

    private final CarrierHttp http;
    private final CarrierSandboxes sandboxes;

    public MeridianCarrier(CarrierHttp http, CarrierSandboxes sandboxes) {
        this.http = http;
        this.sandboxes = sandboxes;
    }

    @Override
    public String name() {
        return "Meridian";
    }

    @Override
    public CompletableFuture<List<Quote>> quotes(Shipment shipment) {
        String query = "/quote?pol=" + shipment.from().code() + "&pod=" + shipment.to().code()
                + "&kg=" + shipment.kilograms();
        return http.get(sandboxes.meridian().resolve(query)).thenApply(answer -> {
            List<Quote> quotes = new ArrayList<>();
            for (JsonNode offer : answer) {
                int cents = offer.path("euro").asInt() * 100;
                for (JsonNode surcharge : offer.path("surcharges")) {
                    cents += surcharge.path("euro").asInt() * 100;
                }
                quotes.add(new Quote(name(), offer.path("product").asText(), cents, offer.path("transit").asInt(),
                        offer.path("transshipment").asBoolean()));
            }
            return quotes;
        });
    }
}

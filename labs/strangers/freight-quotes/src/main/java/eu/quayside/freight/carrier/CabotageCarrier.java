package eu.quayside.freight.carrier;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import eu.quayside.freight.quote.Quote;
import eu.quayside.freight.quote.Shipment;
import eu.quayside.freight.sandbox.CarrierSandboxes;
import jakarta.inject.Singleton;

/** Cabotage Lines has a tariff by distance; only the bunker index has to be asked for. */
@Singleton
public class CabotageCarrier implements Carrier {

    private static final int MILES_PER_DAY = 310;
    private static final int MAX_TONNES = 18;

    private final CarrierHttp http;
    private final CarrierSandboxes sandboxes;

    public CabotageCarrier(CarrierHttp http, CarrierSandboxes sandboxes) {
        this.http = http;
        this.sandboxes = sandboxes;
    }

    @Override
    public String name() {
        return "Cabotage Lines";
    }

    @Override
    public CompletableFuture<List<Quote>> quotes(Shipment shipment) {
        return http.get(sandboxes.cabotage().resolve("/bunker/" + shipment.from().code())).thenApply(answer -> {
            if (shipment.tonnesRoundedUp() > MAX_TONNES) {
                return List.of();
            }
            int miles = shipment.from().nauticalMilesTo(shipment.to());
            int cents = miles * shipment.tonnesRoundedUp() * answer.path("index").asInt() / 100;
            return List.of(new Quote(name(), "coaster", cents, 2 + miles / MILES_PER_DAY, false));
        });
    }
}

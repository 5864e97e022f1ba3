package eu.quayside.freight.carrier;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import eu.quayside.freight.quote.Quote;
import eu.quayside.freight.quote.Shipment;

public interface Carrier {

    String name();

    CompletableFuture<List<Quote>> quotes(Shipment shipment);
}

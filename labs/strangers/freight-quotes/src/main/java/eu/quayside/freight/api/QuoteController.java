package eu.quayside.freight.api;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import eu.quayside.freight.ports.Port;
import eu.quayside.freight.ports.PortDirectory;
import eu.quayside.freight.quote.QuoteService;
import eu.quayside.freight.quote.Shipment;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;

@Controller("/quotes")
public class QuoteController {

    private final PortDirectory ports;
    private final QuoteService quotes;

    public QuoteController(PortDirectory ports, QuoteService quotes) {
        this.ports = ports;
        this.quotes = quotes;
    }

    @Get
    public CompletableFuture<HttpResponse<List<QuoteView>>> quotes(@QueryValue String from, @QueryValue String to,
            @QueryValue(defaultValue = "1000") int weight) {
        Optional<Port> origin = ports.find(from);
        Optional<Port> destination = ports.find(to);
        if (origin.isEmpty() || destination.isEmpty() || weight < 1) {
            return CompletableFuture.completedFuture(HttpResponse.badRequest());
        }
        return quotes.quotes(new Shipment(origin.get(), destination.get(), weight))
                .thenApply(ranked -> HttpResponse.ok(ranked.stream().map(QuoteView::of).toList()));
    }
}

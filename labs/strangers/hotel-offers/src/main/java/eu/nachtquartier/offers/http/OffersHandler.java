package eu.nachtquartier.offers.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import eu.nachtquartier.offers.context.RequestContext;
import eu.nachtquartier.offers.offer.Offer;
import eu.nachtquartier.offers.offer.OfferService;
import eu.nachtquartier.offers.source.Search;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.List;

public class OffersHandler implements HttpHandler {

    private static final Logger LOG = LoggerFactory.getLogger(OffersHandler.class);

    private final OfferService service;

    public OffersHandler(OfferService service) {
        this.service = service;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        Parameters parameters = new Parameters(exchange);
        Search search = new Search(parameters.text("city"), parameters.date("arrival"),
                parameters.number("nights", 1), parameters.number("guests", 2));
        try {
            Answers.ok(exchange, new Answer(RequestContext.get(RequestContext.TENANT), search.city(), search.nights(),
                    service.offers(search)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.warn("{} was interrupted", RequestContext.get(RequestContext.REQUEST_ID));
            Answers.problem(exchange, 503, "shutting down");
        }
    }

    public record Answer(String tenant, String city, int nights, List<Offer> offers) {
    }
}

package eu.quayside.freight.quote;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import eu.quayside.freight.carrier.Carrier;
import jakarta.inject.Singleton;

/** Asks all carriers at the same time and ranks what they offer. */
@Singleton
public class QuoteService {

    private static final Logger LOG = LoggerFactory.getLogger(QuoteService.class);

    private final List<Carrier> carriers;
    private final Ranking ranking;

    public QuoteService(List<Carrier> carriers, Ranking ranking) {
        this.carriers = carriers;
        this.ranking = ranking;
    }

    public CompletableFuture<List<Quote>> quotes(Shipment shipment) {
        List<CompletableFuture<List<Quote>>> asked = new ArrayList<>();
        for (Carrier carrier : carriers) {
            asked.add(carrier.quotes(shipment).exceptionally(problem -> {
                LOG.warn("{} gave no quote", carrier.name(), problem);
                return List.of();
            }));
        }
        return CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0])).thenApply(done -> {
            List<Quote> all = new ArrayList<>();
            asked.forEach(quotes -> all.addAll(quotes.join()));
            return ranking.rank(shipment, all);
        });
    }
}

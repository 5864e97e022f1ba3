package eu.nachtquartier.offers.offer;

import eu.nachtquartier.offers.source.NetRate;
import eu.nachtquartier.offers.source.RateSource;
import eu.nachtquartier.offers.source.Search;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Asks all suppliers at the same time and keeps the cheapest offer of each hotel. */
public class OfferService {

    private static final Logger LOG = LoggerFactory.getLogger(OfferService.class);
    private static final int MOST_OFFERS = 15;

    private final List<RateSource> sources;
    private final Markup markup;

    public OfferService(List<RateSource> sources, Markup markup) {
        this.sources = sources;
        this.markup = markup;
    }

    public List<Offer> offers(Search search) throws InterruptedException {
        List<Future<List<Offer>>> pending = new ArrayList<>();
        Map<String, Offer> cheapest = new HashMap<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (RateSource source : sources) {
                pending.add(executor.submit(() -> offers(source, search)));
            }
            for (int i = 0; i < pending.size(); i++) {
                try {
                    for (Offer offer : pending.get(i).get()) {
                        cheapest.merge(offer.hotel() + offer.board(), offer, Offer::cheaper);
                    }
                } catch (ExecutionException e) {
                    LOG.warn("No offers of {}", sources.get(i).name(), e.getCause());
                }
            }
        }
        return cheapest.values().stream()
                .sorted(Comparator.comparingInt(Offer::price).thenComparing(Offer::hotel).thenComparing(Offer::board))
                .limit(MOST_OFFERS)
                .toList();
    }

    private List<Offer> offers(RateSource source, Search search) {
        List<Offer> offers = new ArrayList<>();
        for (NetRate rate : source.rates(search)) {
            offers.add(new Offer(rate.hotel(), rate.board(), source.name(), markup.price(rate.hotel(), rate.cents()),
                    rate.refundable()));
        }
        return offers;
    }
}

package eu.quayside.freight.quote;

import java.util.Comparator;
import java.util.List;

import jakarta.inject.Singleton;

/** Ranks quotes by what they cost, a day under way counted as money. */
@Singleton
public class Ranking {

    private static final int CENTS_PER_DAY_AND_TONNE = 450;
    private static final int TRANSSHIPMENT_CENTS = 2500;

    public List<Quote> rank(Shipment shipment, List<Quote> quotes) {
        return quotes.stream()
                .sorted(Comparator.comparingInt((Quote quote) -> weight(shipment, quote))
                        .thenComparing(Quote::carrier).thenComparing(Quote::service))
                .toList();
    }

    private static int weight(Shipment shipment, Quote quote) {
        return quote.cents() + quote.days() * shipment.tonnesRoundedUp() * CENTS_PER_DAY_AND_TONNE
                + (quote.viaTransshipment() ? TRANSSHIPMENT_CENTS : 0);
    }
}

package eu.quayside.freight.api;

import eu.quayside.freight.quote.Quote;
import io.micronaut.core.annotation.Introspected;

@Introspected
public record QuoteView(String carrier, String service, String price, int days, boolean direct) {

    static QuoteView of(Quote quote) {
        int rest = quote.cents() % 100;
        return new QuoteView(quote.carrier(), quote.service(),
                "EUR " + quote.cents() / 100 + (rest < 10 ? ".0" : ".") + rest, quote.days(),
                !quote.viaTransshipment());
    }
}

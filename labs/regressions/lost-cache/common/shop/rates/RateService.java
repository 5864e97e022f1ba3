package shop.rates;

import front.Front;
import java.util.List;

/** How much the exchange rates swing. */
public final class RateService {
    private static final List<String> CURRENCIES = List.of("CZK", "PLN", "HUF", "DKK", "SEK", "CHF");
    private final RateCache cache = new RateCache();

    public static void main(String[] arguments) {
        Front.serve(arguments, 4, new RateService()::page);
    }

    String page() {
        StringBuilder text = new StringBuilder();
        for (int days = 1; days <= 12; days++) {
            for (String currency : CURRENCIES) {
                text.append(String.format("%2d %s %8.4f%n", days, currency, days * cache.volatility("EUR", currency)));
            }
        }
        return text.toString();
    }
}

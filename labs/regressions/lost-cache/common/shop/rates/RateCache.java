package shop.rates;

import java.util.LinkedHashMap;
import java.util.Map;

/** What was worked out before, the last hundred of it. */
final class RateCache {
    private final Map<RatePair, Double> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RatePair, Double> eldest) {
            return size() > 100;
        }
    };

    double volatility(String from, String to) {
        RatePair pair = new RatePair(from, to);
        synchronized (known) {
            Double before = known.get(pair);
            if (before != null) {
                return before;
            }
        }
        double volatility = RateHistory.volatility(from, to);
        synchronized (known) {
            known.put(pair, volatility);
        }
        return volatility;
    }
}

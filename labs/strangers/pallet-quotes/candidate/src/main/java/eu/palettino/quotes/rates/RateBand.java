package eu.palettino.quotes.rates;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.Map;

/** What a shipment up to a weight costs in each of the zones. */
public class RateBand implements Serializable {

    private static final long serialVersionUID = 1L;

    private final int upToKg;
    private final Map<Zone, BigDecimal> prices = new EnumMap<>(Zone.class);

    public RateBand(int upToKg) {
        this.upToKg = upToKg;
    }

    void put(Zone zone, BigDecimal price) {
        prices.put(zone, price);
    }

    public int upToKg() {
        return upToKg;
    }

    public BigDecimal price(Zone zone) {
        return prices.get(zone);
    }

    public boolean holds(int kg) {
        return kg <= upToKg;
    }
}

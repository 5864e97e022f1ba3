package eu.palettino.quotes.rates;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

public class RateTable {

    private final String carrier;
    private final List<RateBand> bands;

    public RateTable(String carrier, List<RateBand> bands) {
        this.carrier = carrier;
        this.bands = new ArrayList<>(bands);
        this.bands.sort(Comparator.comparingInt(RateBand::upToKg));
    }

    public String carrier() {
        return carrier;
    }

    public List<RateBand> bands() {
        return bands;
    }

    public Optional<BigDecimal> price(Zone zone, int kg) {
        for (RateBand band : bands) {
            if (band.holds(kg)) {
                return Optional.ofNullable(band.price(zone));
            }
        }
        return Optional.empty();
    }
}

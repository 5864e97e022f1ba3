package eu.palettino.quotes.quote;

import java.math.BigDecimal;

public record CarrierQuote(
        String carrier,
        String name,
        BigDecimal freight,
        BigDecimal diesel,
        BigDecimal island,
        BigDecimal total) implements Comparable<CarrierQuote> {

    @Override
    public int compareTo(CarrierQuote other) {
        int byTotal = total.compareTo(other.total);
        return byTotal != 0 ? byTotal : carrier.compareTo(other.carrier);
    }
}

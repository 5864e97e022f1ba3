package com.northpost.rates.book;

import com.northpost.commons.Measure;
import com.northpost.commons.Money;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The prices of one tariff, laid out by weight step as in the printed sheet of the carrier. */
public final class RateCard {

    private final Tariff tariff;
    private final Map<Measure, Money> prices;

    private RateCard(Tariff tariff, Map<Measure, Money> prices) {
        this.tariff = tariff;
        this.prices = prices;
    }

    static RateCard layOut(Tariff tariff) {
        Map<Measure, Money> prices = new HashMap<>();
        Measure weight = tariff.step();
        long cents = tariff.base().cents();
        double growth = tariff.perStep().cents();
        while (!weight.exceeds(tariff.limit())) {
            cents += Math.round(growth);
            growth *= 1 - tariff.degressionBasisPoints() / 10_000d;
            prices.put(weight, Money.euro(cents));
            weight = weight.plus(tariff.step());
        }
        return new RateCard(tariff, prices);
    }

    public Tariff tariff() {
        return tariff;
    }

    public Measure step() {
        return tariff.step();
    }

    /** The price of a weight that has been rounded up to a step of this card. */
    public Optional<Money> priceOf(Measure steppedWeight) {
        return Optional.ofNullable(prices.get(steppedWeight));
    }

    public int steps() {
        return prices.size();
    }
}

package com.northpost.rates.quote;

import com.northpost.commons.Measure;
import com.northpost.commons.Money;
import com.northpost.rates.book.RateBook;
import com.northpost.rates.book.RateCard;
import com.northpost.rates.book.Tariff;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compares what the carriers charge for a shipment. */
public final class QuoteEngine {

    private final RateBook book;
    private final FuelIndex fuel;

    public QuoteEngine(RateBook book, FuelIndex fuel) {
        this.book = book;
        this.fuel = fuel;
    }

    public List<Offer> offers(Shipment shipment) {
        Map<Measure, List<Measure>> stepped = new HashMap<>();
        List<Offer> offers = new ArrayList<>();
        for (RateCard card : book.cardsFor(shipment.zone())) {
            List<Measure> weights = stepped.computeIfAbsent(card.step(), step -> roundUp(shipment.parcels(), step));
            freight(card, weights).ifPresent(money -> offers.add(offer(card, money, weights.size())));
        }
        offers.sort(Offer.CHEAPEST_FIRST);
        return offers;
    }

    private static List<Measure> roundUp(List<Measure> parcels, Measure step) {
        List<Measure> weights = new ArrayList<>(parcels.size());
        for (Measure parcel : parcels) {
            weights.add(parcel.roundedUpTo(step));
        }
        return weights;
    }

    private static Optional<Money> freight(RateCard card, List<Measure> weights) {
        Money sum = Money.euro(0);
        for (Measure weight : weights) {
            Optional<Money> price = card.priceOf(weight);
            if (price.isEmpty()) {
                return Optional.empty();
            }
            sum = sum.plus(price.get());
        }
        return Optional.of(sum);
    }

    private Offer offer(RateCard card, Money freight, int parcels) {
        Tariff tariff = card.tariff();
        Money handling = Money.euro((long) tariff.level().handlingCents() * parcels);
        Money total = freight.plusBasisPoints(fuel.of(tariff.carrier())).plus(handling);
        int days = tariff.level().transitDays() + tariff.zone().extraDays();
        return new Offer(tariff.carrier(), tariff.level(), freight, handling, total, days);
    }
}

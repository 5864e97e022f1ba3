package com.northpost.rates.quote;

import com.northpost.commons.Money;
import com.northpost.rates.book.ServiceLevel;

import java.util.Comparator;

public record Offer(String carrier, ServiceLevel level, Money freight, Money handling, Money total, int days) {

    public static final Comparator<Offer> CHEAPEST_FIRST = Comparator
            .comparingLong((Offer offer) -> offer.total().cents())
            .thenComparingInt(Offer::days)
            .thenComparing(Offer::carrier);
}

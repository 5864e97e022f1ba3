package com.northpost.commons;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** An amount of money in the smallest unit of its currency. */
public record Money(long cents, String currency) {

    public static Money euro(long cents) {
        return new Money(cents, "EUR");
    }

    public static Money euro(String amount) {
        return euro(new BigDecimal(amount).movePointRight(2).setScale(0, RoundingMode.HALF_UP).longValueExact());
    }

    public Money plus(Money other) {
        requireSameCurrency(other);
        return new Money(Math.addExact(cents, other.cents), currency);
    }

    /** This amount increased by a share stated in hundredths of a percent. */
    public Money plusBasisPoints(int basisPoints) {
        long extra = Math.round(cents * (double) basisPoints / 10_000d);
        return new Money(cents + extra, currency);
    }

    public String toPlainString() {
        long abs = Math.abs(cents);
        long rest = abs % 100;
        return (cents < 0 ? "-" : "") + abs / 100 + (rest < 10 ? ".0" : ".") + rest;
    }

    private void requireSameCurrency(Money other) {
        if (!currency.equals(other.currency)) {
            throw new IllegalArgumentException("Mixed currencies: " + currency + ", " + other.currency);
        }
    }

    @Override
    public String toString() {
        return toPlainString() + " " + currency;
    }
}

package com.northpost.rates.book;

public enum ServiceLevel {

    ECONOMY(6, 0),
    STANDARD(3, 120),
    EXPRESS(1, 540);

    private final int transitDays;
    private final int handlingCents;

    ServiceLevel(int transitDays, int handlingCents) {
        this.transitDays = transitDays;
        this.handlingCents = handlingCents;
    }

    public int transitDays() {
        return transitDays;
    }

    public int handlingCents() {
        return handlingCents;
    }
}

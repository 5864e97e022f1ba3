package com.northpost.rates.quote;

import java.util.Map;

/** Fuel surcharge of each carrier in hundredths of a percent. */
public record FuelIndex(Map<String, Integer> basisPoints, int fallback) {

    public static FuelIndex current() {
        return new FuelIndex(Map.of(
                "Albatros", 780,
                "Bluebird", 650,
                "Condor Freight", 1120,
                "Dunlin", 500,
                "Egret Express", 1340,
                "Fulmar", 720,
                "Godwit", 610,
                "Hoopoe Direct", 940), 800);
    }

    public int of(String carrier) {
        return basisPoints.getOrDefault(carrier, fallback);
    }
}

package com.northpost.rates.book;

import java.util.HashMap;
import java.util.Map;

/** Tariff zones as agreed with all carriers. */
public enum Zone {

    DOMESTIC("DE"),
    NEIGHBOURS("AT", "BE", "CH", "CZ", "DK", "FR", "LU", "NL", "PL"),
    EUROPE("ES", "FI", "GR", "HU", "IE", "IT", "NO", "PT", "RO", "SE", "SI", "SK"),
    OVERSEAS("AU", "BR", "CA", "JP", "KR", "MX", "US", "ZA");

    private static final Map<String, Zone> BY_COUNTRY = new HashMap<>();

    static {
        for (Zone zone : values()) {
            for (String country : zone.countries) {
                BY_COUNTRY.put(country, zone);
            }
        }
    }

    private final String[] countries;

    Zone(String... countries) {
        this.countries = countries;
    }

    public static Zone ofCountry(String code) {
        Zone zone = BY_COUNTRY.get(code);
        if (zone == null) {
            throw new IllegalArgumentException("No carrier serves " + code);
        }
        return zone;
    }

    /** Additional transit days compared with a domestic parcel. */
    public int extraDays() {
        return switch (this) {
            case DOMESTIC -> 0;
            case NEIGHBOURS -> 1;
            case EUROPE -> 3;
            case OVERSEAS -> 8;
        };
    }
}

package com.postwerk.rates.zone;

/** Where a postcode lies, as far as carriers care. */
public record Zone(String country, int ring, boolean remote, String hub) {

    public int distanceTo(Zone other) {
        if (country.equals(other.country)) {
            return Math.abs(ring - other.ring);
        }
        return ring + other.ring + 1;
    }
}

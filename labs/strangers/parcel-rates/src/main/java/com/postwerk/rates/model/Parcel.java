package com.postwerk.rates.model;

/** What the sender wants to have carried. */
public record Parcel(Address from, Address to, int grams, Dimensions dimensions) {

    /** Carriers charge the volume where it outweighs the scales: 5000 cubic centimetres a kilogram. */
    public int chargeableGrams() {
        return Math.max(grams, dimensions.cubicCentimetres() / 5);
    }

    public boolean international() {
        return !from.country().equals(to.country());
    }
}

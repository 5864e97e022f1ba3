package com.northpost.rates.quote;

import com.northpost.commons.Measure;
import com.northpost.commons.MeasureUnit;
import com.northpost.commons.Texts;
import com.northpost.rates.book.Zone;

import java.util.ArrayList;
import java.util.List;

/** What a customer wants to send: some parcels to one country. */
public record Shipment(String country, Zone zone, List<Measure> parcels) {

    private static final int MAX_PARCELS = 40;

    public static Shipment of(String country, String parcels) {
        String code = Texts.countryCode(country);
        List<Measure> weights = new ArrayList<>();
        for (String part : Texts.parts(parcels, ',')) {
            weights.add(weight(part));
        }
        if (weights.isEmpty() || weights.size() > MAX_PARCELS) {
            throw new IllegalArgumentException("Between 1 and " + MAX_PARCELS + " parcels, please");
        }
        return new Shipment(code, Zone.ofCountry(code), List.copyOf(weights));
    }

    private static Measure weight(String text) {
        Measure weight = Measure.parse(text, MeasureUnit.KILOGRAM).in(MeasureUnit.KILOGRAM);
        if (weight.amount().signum() <= 0) {
            throw new IllegalArgumentException("A parcel weighs more than nothing: " + text);
        }
        return weight;
    }

    public Measure totalWeight() {
        Measure total = Measure.of("0", MeasureUnit.KILOGRAM);
        for (Measure parcel : parcels) {
            total = total.plus(parcel);
        }
        return total;
    }
}

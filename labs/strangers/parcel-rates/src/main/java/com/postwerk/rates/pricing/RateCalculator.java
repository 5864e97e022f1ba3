package com.postwerk.rates.pricing;

import com.postwerk.rates.model.Offer;
import com.postwerk.rates.model.Parcel;
import com.postwerk.rates.refdata.ReferenceData;
import com.postwerk.rates.zone.Zone;
import com.postwerk.rates.zone.ZoneResolver;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Asks every carrier's price list for an offer; the cheapest comes first. */
public class RateCalculator {

    private final ReferenceData data;
    private final ZoneResolver zones;
    private final SurchargeRules surcharges;

    public RateCalculator(ReferenceData data) {
        this.data = data;
        this.zones = new ZoneResolver(data);
        this.surcharges = new SurchargeRules();
    }

    public List<Offer> offers(Parcel parcel) {
        Zone from = zones.resolve(parcel.from());
        Zone to = zones.resolve(parcel.to());
        JsonObject rules = data.table(ReferenceData.SURCHARGES);
        JsonArray carriers = data.table(ReferenceData.CARRIERS).getJsonArray("carriers");
        List<Offer> offers = new ArrayList<>();
        for (int c = 0; c < carriers.size(); c++) {
            JsonObject carrier = carriers.getJsonObject(c);
            if (!serves(carrier, to)) {
                continue;
            }
            JsonArray products = carrier.getJsonArray("products");
            for (int p = 0; p < products.size(); p++) {
                JsonObject product = products.getJsonObject(p);
                int base = baseCents(product, parcel.chargeableGrams(), from.distanceTo(to));
                if (base >= 0) {
                    offers.add(new Offer(carrier.getString("name"), product.getString("name"),
                            product.getInteger("days") + from.distanceTo(to) / 3, base,
                            surcharges.charges(rules, carrier.getString("name"), parcel, to, base)));
                }
            }
        }
        offers.sort(Comparator.comparingInt(Offer::totalCents).thenComparing(Offer::carrier).thenComparing(Offer::product));
        return offers;
    }

    private static boolean serves(JsonObject carrier, Zone to) {
        return carrier.getJsonArray("countries").contains(to.country());
    }

    /** The price of the lowest weight step that carries the parcel, or -1. */
    private static int baseCents(JsonObject product, int grams, int distance) {
        JsonArray steps = product.getJsonArray("steps");
        for (int i = 0; i < steps.size(); i++) {
            JsonObject step = steps.getJsonObject(i);
            if (grams <= step.getInteger("upTo")) {
                return step.getInteger("cents") + distance * product.getInteger("perRing");
            }
        }
        return -1;
    }
}

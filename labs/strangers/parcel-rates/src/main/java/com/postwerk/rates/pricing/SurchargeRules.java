package com.postwerk.rates.pricing;

import com.postwerk.rates.model.Offer.Charge;
import com.postwerk.rates.model.Parcel;
import com.postwerk.rates.zone.Zone;
import io.vertx.core.json.JsonObject;

import java.util.ArrayList;
import java.util.List;

/** Fuel, toll, islands and valleys, bulky goods. */
class SurchargeRules {

    List<Charge> charges(JsonObject table, String carrier, Parcel parcel, Zone to, int baseCents) {
        JsonObject rules = table.getJsonObject(carrier);
        List<Charge> charges = new ArrayList<>(4);
        if (rules == null) {
            return charges;
        }
        charges.add(new Charge("FUEL", perMille(baseCents, rules.getInteger("fuelPerMille", 0))));
        if (to.remote()) {
            charges.add(new Charge("REMOTE", rules.getInteger("remote", 0)));
        }
        if (parcel.dimensions().girth() > rules.getInteger("bulkyGirth", 300)) {
            charges.add(new Charge("BULKY", rules.getInteger("bulky", 0)));
        }
        Integer toll = rules.getJsonObject("toll", new JsonObject()).getInteger(to.country());
        if (toll != null) {
            charges.add(new Charge("TOLL", toll));
        }
        if (parcel.international()) {
            charges.add(new Charge("EXPORT", rules.getInteger("export", 0)));
        }
        return charges;
    }

    private static int perMille(int cents, int perMille) {
        return Math.toIntExact(Math.round(cents * (long) perMille / 1000.0));
    }
}

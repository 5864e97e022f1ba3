package com.postwerk.rates.http;

import com.postwerk.rates.model.Address;
import com.postwerk.rates.model.Dimensions;
import com.postwerk.rates.model.InvalidParcel;
import com.postwerk.rates.model.Offer;
import com.postwerk.rates.model.Parcel;
import com.postwerk.rates.pricing.RateCalculator;
import com.postwerk.rates.refdata.ReferenceData;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;

import java.util.List;

class RateHandler implements Handler<RoutingContext> {

    private static final int HEAVIEST = 31_500;

    private final RateCalculator calculator;
    private final ReferenceData data;

    RateHandler(RateCalculator calculator, ReferenceData data) {
        this.calculator = calculator;
        this.data = data;
    }

    @Override
    public void handle(RoutingContext context) {
        Parcel parcel = parcel(context.queryParams());
        List<Offer> offers = calculator.offers(parcel);
        JsonArray list = new JsonArray();
        offers.forEach(offer -> list.add(offer.toJson()));
        context.json(new JsonObject()
                .put("edition", data.edition())
                .put("chargeableGrams", parcel.chargeableGrams())
                .put("offers", list));
    }

    private static Parcel parcel(MultiMap query) {
        int grams;
        try {
            grams = Integer.parseInt(query.get("grams"));
        } catch (NumberFormatException e) {
            throw new InvalidParcel("grams is missing or no number");
        }
        if (grams <= 0 || grams > HEAVIEST) {
            throw new InvalidParcel("too heavy: " + grams);
        }
        return new Parcel(Address.parse(query.get("from")), Address.parse(query.get("to")), grams,
                Dimensions.parse(query.get("size")));
    }
}

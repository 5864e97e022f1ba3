package com.postwerk.rates.zone;

import com.postwerk.rates.model.Address;
import com.postwerk.rates.model.InvalidParcel;
import com.postwerk.rates.refdata.ReferenceData;
import io.vertx.core.json.JsonObject;

public class ZoneResolver {

    private final ReferenceData data;

    public ZoneResolver(ReferenceData data) {
        this.data = data;
    }

    public Zone resolve(Address address) {
        JsonObject country = data.table(ReferenceData.POSTAL_AREAS).getJsonObject(address.country());
        if (country == null) {
            throw new InvalidParcel("no carrier serves " + address.country());
        }
        JsonObject area = country.getJsonObject(address.area());
        if (area == null) {
            throw new InvalidParcel("no such postcode: " + address.country() + "-" + address.postcode());
        }
        return new Zone(address.country(), area.getInteger("ring"), area.getBoolean("remote", false), area.getString("hub"));
    }
}

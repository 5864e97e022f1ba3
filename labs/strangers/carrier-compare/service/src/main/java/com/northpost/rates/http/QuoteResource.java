package com.northpost.rates.http;

import com.northpost.commons.JsonWriter;
import com.northpost.rates.quote.Offer;
import com.northpost.rates.quote.QuoteEngine;
import com.northpost.rates.quote.Shipment;
import io.helidon.common.media.type.MediaTypes;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

import java.util.List;

public final class QuoteResource implements HttpService {

    private static final System.Logger LOG = System.getLogger(QuoteResource.class.getName());
    private static final int SHOWN = 10;

    private final QuoteEngine engine;

    public QuoteResource(QuoteEngine engine) {
        this.engine = engine;
    }

    @Override
    public void routing(HttpRules rules) {
        rules.get("/{country}", this::quote);
    }

    private void quote(ServerRequest request, ServerResponse response) {
        String country = request.path().pathParameters().get("country");
        String parcels = request.query().first("parcels").orElse("");
        Shipment shipment = Shipment.of(country, parcels);
        List<Offer> offers = engine.offers(shipment);
        LOG.log(System.Logger.Level.DEBUG, "{0} offers for {1}", offers.size(), shipment);
        response.headers().contentType(MediaTypes.APPLICATION_JSON);
        response.send(render(shipment, offers));
    }

    private static String render(Shipment shipment, List<Offer> offers) {
        JsonWriter json = new JsonWriter().beginObject()
                .name("country").value(shipment.country())
                .name("zone").value(shipment.zone().name())
                .name("parcels").value(shipment.parcels().size())
                .name("weight").value(shipment.totalWeight().toString())
                .name("compared").value(offers.size())
                .name("offers").beginArray();
        for (Offer offer : offers.subList(0, Math.min(SHOWN, offers.size()))) {
            json.beginObject()
                    .name("carrier").value(offer.carrier())
                    .name("level").value(offer.level().name())
                    .name("freight").raw(offer.freight().toPlainString())
                    .name("total").raw(offer.total().toPlainString())
                    .name("days").value(offer.days())
                    .endObject();
        }
        return json.endArray().endObject().toString();
    }
}

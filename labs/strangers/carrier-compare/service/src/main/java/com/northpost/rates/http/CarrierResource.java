package com.northpost.rates.http;

import com.northpost.commons.JsonWriter;
import com.northpost.rates.book.RateBook;
import io.helidon.common.media.type.MediaTypes;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

public final class CarrierResource implements HttpService {

    private final RateBook book;

    public CarrierResource(RateBook book) {
        this.book = book;
    }

    @Override
    public void routing(HttpRules rules) {
        rules.get("/", this::list);
    }

    private void list(ServerRequest request, ServerResponse response) {
        JsonWriter json = new JsonWriter().beginArray();
        book.carriers().forEach(json::value);
        response.headers().contentType(MediaTypes.APPLICATION_JSON);
        response.send(json.endArray().toString());
    }
}

package com.gridhub.curves.http;

import com.gridhub.curves.store.SegmentStore;
import com.gridhub.curves.store.StoreStatistics;
import io.helidon.common.media.type.MediaTypes;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

public final class StoreResource implements HttpService {

    private final SegmentStore store;

    public StoreResource(SegmentStore store) {
        this.store = store;
    }

    @Override
    public void routing(HttpRules rules) {
        rules.get("/", this::statistics);
    }

    private void statistics(ServerRequest request, ServerResponse response) {
        StoreStatistics statistics = store.statistics();
        StringBuilder out = new StringBuilder("{");
        Json.number(out, "meters", statistics.meters()).append(',');
        Json.number(out, "segments", statistics.segments()).append(',');
        Json.number(out, "pinned", statistics.pinned()).append(',');
        Json.number(out, "values", statistics.values()).append(',');
        Json.tenths(out, "bytesPerValue", statistics.bytesPerValue()).append('}');
        response.headers().contentType(MediaTypes.APPLICATION_JSON);
        response.send(out.toString());
    }
}

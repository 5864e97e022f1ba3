package com.gridhub.curves.http;

import com.gridhub.curves.site.Site;
import com.gridhub.curves.site.SiteRegistry;
import io.helidon.common.media.type.MediaTypes;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

public final class SiteResource implements HttpService {

    private final SiteRegistry sites;

    public SiteResource(SiteRegistry sites) {
        this.sites = sites;
    }

    @Override
    public void routing(HttpRules rules) {
        rules.get("/", this::list);
    }

    private void list(ServerRequest request, ServerResponse response) {
        StringBuilder out = new StringBuilder("[");
        for (Site site : sites.all()) {
            if (out.length() > 1) {
                out.append(',');
            }
            out.append('{');
            Json.text(out, "id", site.id()).append(',');
            Json.text(out, "name", site.name()).append(',');
            Json.number(out, "meters", site.meters().size()).append('}');
        }
        response.headers().contentType(MediaTypes.APPLICATION_JSON);
        response.send(out.append(']').toString());
    }
}

package org.wanderwege.trails.trail;

import org.wanderwege.trails.http.Endpoint;
import org.wanderwege.trails.http.JsonText;
import org.wanderwege.trails.http.Reply;
import org.wanderwege.trails.http.Request;

public final class TrailListHandler implements Endpoint {

    private final TrailCatalogue catalogue;

    public TrailListHandler(TrailCatalogue catalogue) {
        this.catalogue = catalogue;
    }

    @Override
    public Reply answer(Request request) {
        JsonText json = new JsonText().open().openList("trails");
        for (Trail trail : catalogue.all()) {
            json.open()
                    .field("id", trail.id())
                    .field("name", trail.name())
                    .field("metres", Math.round(trail.lengthMetres()))
                    .close();
        }
        return Reply.ok(json.closeList().close());
    }
}

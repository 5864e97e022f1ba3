package org.wanderwege.trails.profile;

import org.wanderwege.trails.http.Endpoint;
import org.wanderwege.trails.http.JsonText;
import org.wanderwege.trails.http.Reply;
import org.wanderwege.trails.http.Request;
import org.wanderwege.trails.trail.Trail;
import org.wanderwege.trails.trail.TrailCatalogue;

public final class ProfileHandler implements Endpoint {

    private static final int DEFAULT_POINTS = 80;

    private final TrailCatalogue catalogue;
    private final ProfileService profiles;

    public ProfileHandler(TrailCatalogue catalogue, ProfileService profiles) {
        this.catalogue = catalogue;
        this.profiles = profiles;
    }

    @Override
    public Reply answer(Request request) {
        Trail trail = catalogue.find(request.variable("id")).orElse(null);
        if (trail == null) {
            return Reply.problem(404, "no such trail");
        }
        int points = request.intParameter("points", DEFAULT_POINTS, 10, 500);
        return Reply.ok(render(profiles.draw(trail, points)));
    }

    private static JsonText render(Profile profile) {
        JsonText json = new JsonText().open()
                .field("trail", profile.trail())
                .field("metres", Math.round(profile.lengthMetres()))
                .tenths("ascent", profile.ascent())
                .tenths("descent", profile.descent())
                .tenths("highest", profile.highest())
                .tenths("lowest", profile.lowest())
                .tenths("steepestHillside", profile.steepestHillside())
                .tenths("openSky", profile.openSky())
                .field("difficulty", profile.difficulty())
                .openList("heights");
        for (double height : profile.heights()) {
            json.itemTenths(height);
        }
        return json.closeList().close();
    }
}

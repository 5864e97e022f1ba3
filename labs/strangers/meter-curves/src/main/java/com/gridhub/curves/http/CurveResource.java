package com.gridhub.curves.http;

import com.gridhub.curves.profile.DayProfile;
import com.gridhub.curves.profile.Period;
import com.gridhub.curves.profile.ProfileService;
import com.gridhub.curves.profile.SiteProfile;
import io.helidon.common.media.type.MediaTypes;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

public final class CurveResource implements HttpService {

    private static final System.Logger LOG = System.getLogger(CurveResource.class.getName());

    private final ProfileService profiles;

    public CurveResource(ProfileService profiles) {
        this.profiles = profiles;
    }

    @Override
    public void routing(HttpRules rules) {
        rules.get("/{site}/profile", this::profile);
    }

    private void profile(ServerRequest request, ServerResponse response) {
        String site = request.path().pathParameters().get("site");
        Period period = Period.parse(
                request.query().first("from").orElse("2025-03-01"),
                request.query().first("days").orElse("7"));
        SiteProfile profile = profiles.profile(site, period);
        LOG.log(System.Logger.Level.DEBUG, "Profile of {0} for {1}", site, period);
        response.headers().contentType(MediaTypes.APPLICATION_JSON);
        response.send(render(profile));
    }

    private static String render(SiteProfile profile) {
        StringBuilder out = new StringBuilder(1024).append('{');
        Json.text(out, "site", profile.site().id()).append(',');
        Json.text(out, "name", profile.site().name()).append(',');
        Json.kilo(out, "energyKwh", profile.energy()).append(',');
        Json.tenths(out, "fullLoadHours", profile.fullLoadHours()).append(',');
        Json.text(out, "peakDay", profile.peakDay().day().toString()).append(",\"days\":[");
        boolean first = true;
        for (DayProfile day : profile.days()) {
            if (!first) {
                out.append(',');
            }
            first = false;
            out.append('{');
            Json.text(out, "day", day.day().toString()).append(',');
            Json.number(out, "meters", day.meters()).append(',');
            Json.kilo(out, "energyKwh", day.energy()).append(',');
            Json.kilo(out, "peakKw", day.watts(day.peakQuarter())).append(',');
            Json.text(out, "peakTime", day.peakTime().toString()).append(',');
            Json.kilo(out, "baseKw", day.baseLoad()).append('}');
        }
        return out.append("]}").toString();
    }
}

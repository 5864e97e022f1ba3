package org.vogelwarte.sightings.web;

import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import org.vogelwarte.sightings.model.Species;
import org.vogelwarte.sightings.report.SeasonReporter;

import java.util.Map;

public final class SpeciesController {

    /** A species with the months of its sightings. */
    private record Season(String species, String scientificName, boolean migrant, Map<String, Integer> birds) {
    }

    private final SeasonReporter reporter;

    public SpeciesController(SeasonReporter reporter) {
        this.reporter = reporter;
    }

    public void season(Context ctx) {
        Species species = species(ctx.pathParam("species"));
        ctx.json(new Season(species.key(), species.scientificName(), species.migrant(),
                reporter.birdsByMonth(species.key())));
    }

    private static Species species(String key) {
        try {
            return Species.ofKey(key);
        } catch (IllegalArgumentException e) {
            throw new NotFoundResponse(e.getMessage());
        }
    }
}

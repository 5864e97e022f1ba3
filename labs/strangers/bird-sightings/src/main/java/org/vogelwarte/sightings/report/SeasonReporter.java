package org.vogelwarte.sightings.report;

import org.vogelwarte.sightings.data.SightingStore;
import org.vogelwarte.sightings.model.Sighting;

import java.util.LinkedHashMap;
import java.util.Map;

/** In which months a species is seen. */
public class SeasonReporter {

    private static final String[] MONTHS = {
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"
    };

    private final SightingStore store;

    public SeasonReporter(SightingStore store) {
        this.store = store;
    }

    public Map<String, Integer> birdsByMonth(String species) {
        int[] birds = new int[12];
        for (Sighting sighting : store.ofSpecies(species)) {
            birds[sighting.day().getMonthValue() - 1] += sighting.count();
        }
        Map<String, Integer> result = new LinkedHashMap<>();
        for (int m = 0; m < birds.length; m++) {
            result.put(MONTHS[m], birds[m]);
        }
        return result;
    }
}

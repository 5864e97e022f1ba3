package org.vogelwarte.sightings.report;

import org.vogelwarte.sightings.data.SightingStore;
import org.vogelwarte.sightings.model.Sighting;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What was seen at a hotspot within a year. */
public final class HotspotReporter {

    private final SightingStore store;

    public HotspotReporter(SightingStore store) {
        this.store = store;
    }

    public HotspotReport report(String hotspot, int year) {
        Map<String, SpeciesTally> tallies = new HashMap<>();
        Set<String> observers = new HashSet<>();
        int sightings = 0;
        for (Sighting sighting : store.atHotspot(hotspot)) {
            if (!counts(sighting, year)) {
                continue;
            }
            sightings++;
            observers.add(sighting.observer());
            tallies.computeIfAbsent(sighting.species(), SpeciesTally::new).add(sighting);
        }
        List<SpeciesCount> species = tallies.values().stream()
                .map(SpeciesTally::toCount)
                .sorted(SpeciesCount.MOST_BIRDS_FIRST)
                .toList();
        return new HotspotReport(hotspot, year, sightings, observers.size(), species);
    }

    private static boolean counts(Sighting sighting, int year) {
        return sighting.confirmed() && sighting.day().getYear() == year;
    }
}

package org.vogelwarte.sightings.report;

import org.vogelwarte.sightings.data.SightingStore;
import org.vogelwarte.sightings.model.Sighting;
import org.vogelwarte.sightings.model.Species;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What was seen at a hotspot within a year. */
public class HotspotReporter {

    private final SightingStore store;

    public HotspotReporter(SightingStore store) {
        this.store = store;
    }

    public HotspotReport report(String hotspot, int year) {
        Map<String, int[]> counts = new HashMap<>();
        Map<String, LocalDate> lastSeen = new HashMap<>();
        Set<String> observers = new HashSet<>();
        int sightings = 0;
        for (Sighting sighting : store.atHotspot(hotspot)) {
            if (sighting.day().getYear() != year || !sighting.confirmed()) {
                continue;
            }
            sightings++;
            observers.add(sighting.observer());
            int[] count = counts.get(sighting.species());
            if (count == null) {
                count = new int[2];
                counts.put(sighting.species(), count);
            }
            count[0]++;
            count[1] += sighting.count();
            LocalDate last = lastSeen.get(sighting.species());
            if (last == null || sighting.day().isAfter(last)) {
                lastSeen.put(sighting.species(), sighting.day());
            }
        }
        List<SpeciesCount> species = new ArrayList<>();
        for (Map.Entry<String, int[]> entry : counts.entrySet()) {
            species.add(new SpeciesCount(
                    entry.getKey(),
                    Species.ofKey(entry.getKey()).scientificName(),
                    entry.getValue()[0],
                    entry.getValue()[1],
                    lastSeen.get(entry.getKey()).toString()));
        }
        species.sort(new Comparator<SpeciesCount>() {
            @Override
            public int compare(SpeciesCount a, SpeciesCount b) {
                int byBirds = Integer.compare(b.getBirds(), a.getBirds());
                return byBirds != 0 ? byBirds : a.getSpecies().compareTo(b.getSpecies());
            }
        });
        return new HotspotReport(hotspot, year, sightings, observers.size(), species);
    }
}

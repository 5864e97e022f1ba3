package org.vogelwarte.sightings.data;

import org.vogelwarte.sightings.model.Sighting;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

public class SightingStore {

    private final Map<String, List<Sighting>> byHotspot = new TreeMap<>();
    private final Map<String, List<Sighting>> bySpecies = new HashMap<>();
    private int size;

    public void add(Sighting sighting) {
        List<Sighting> atHotspot = byHotspot.get(sighting.hotspot());
        if (atHotspot == null) {
            atHotspot = new ArrayList<>();
            byHotspot.put(sighting.hotspot(), atHotspot);
        }
        atHotspot.add(sighting);
        List<Sighting> ofSpecies = bySpecies.get(sighting.species());
        if (ofSpecies == null) {
            ofSpecies = new ArrayList<>();
            bySpecies.put(sighting.species(), ofSpecies);
        }
        ofSpecies.add(sighting);
        size++;
    }

    public Set<String> hotspots() {
        return Collections.unmodifiableSet(byHotspot.keySet());
    }

    public List<Sighting> atHotspot(String hotspot) {
        List<Sighting> sightings = byHotspot.get(hotspot);
        return sightings == null ? Collections.emptyList() : Collections.unmodifiableList(sightings);
    }

    public List<Sighting> ofSpecies(String species) {
        List<Sighting> sightings = bySpecies.get(species);
        return sightings == null ? Collections.emptyList() : Collections.unmodifiableList(sightings);
    }

    public int size() {
        return size;
    }
}

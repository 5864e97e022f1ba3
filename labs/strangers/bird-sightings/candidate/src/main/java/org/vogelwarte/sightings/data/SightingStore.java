package org.vogelwarte.sightings.data;

import org.vogelwarte.sightings.model.Sighting;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

public final class SightingStore {

    private final Map<String, List<Sighting>> byHotspot = new TreeMap<>();
    private final Map<String, List<Sighting>> bySpecies = new HashMap<>();
    private int size;

    public void add(Sighting sighting) {
        byHotspot.computeIfAbsent(sighting.hotspot(), h -> new ArrayList<>()).add(sighting);
        bySpecies.computeIfAbsent(sighting.species(), s -> new ArrayList<>()).add(sighting);
        size++;
    }

    public boolean knowsHotspot(String hotspot) {
        return byHotspot.containsKey(hotspot);
    }

    public Set<String> hotspots() {
        return Collections.unmodifiableSet(byHotspot.keySet());
    }

    public List<Sighting> atHotspot(String hotspot) {
        return Collections.unmodifiableList(byHotspot.getOrDefault(hotspot, List.of()));
    }

    public List<Sighting> ofSpecies(String species) {
        return Collections.unmodifiableList(bySpecies.getOrDefault(species, List.of()));
    }

    public int size() {
        return size;
    }
}

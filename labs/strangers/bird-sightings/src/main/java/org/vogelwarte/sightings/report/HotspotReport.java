package org.vogelwarte.sightings.report;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import java.util.List;

@JsonPropertyOrder({"hotspot", "year", "sightings", "observers", "species"})
public class HotspotReport {

    private final String hotspot;
    private final int year;
    private final int sightings;
    private final int observers;
    private final List<SpeciesCount> species;

    public HotspotReport(String hotspot, int year, int sightings, int observers, List<SpeciesCount> species) {
        this.hotspot = hotspot;
        this.year = year;
        this.sightings = sightings;
        this.observers = observers;
        this.species = species;
    }

    public String getHotspot() {
        return hotspot;
    }

    public int getYear() {
        return year;
    }

    public int getSightings() {
        return sightings;
    }

    public int getObservers() {
        return observers;
    }

    public List<SpeciesCount> getSpecies() {
        return species;
    }
}

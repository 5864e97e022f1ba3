package org.vogelwarte.sightings.report;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

@JsonPropertyOrder({"species", "scientificName", "sightings", "birds", "lastSeen"})
public class SpeciesCount {

    private final String species;
    private final String scientificName;
    private final int sightings;
    private final int birds;
    private final String lastSeen;

    public SpeciesCount(String species, String scientificName, int sightings, int birds, String lastSeen) {
        this.species = species;
        this.scientificName = scientificName;
        this.sightings = sightings;
        this.birds = birds;
        this.lastSeen = lastSeen;
    }

    public String getSpecies() {
        return species;
    }

    public String getScientificName() {
        return scientificName;
    }

    public int getSightings() {
        return sightings;
    }

    public int getBirds() {
        return birds;
    }

    public String getLastSeen() {
        return lastSeen;
    }
}

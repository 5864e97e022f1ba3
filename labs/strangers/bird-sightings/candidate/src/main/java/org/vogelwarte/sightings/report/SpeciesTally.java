package org.vogelwarte.sightings.report;

import org.vogelwarte.sightings.model.Sighting;
import org.vogelwarte.sightings.model.Species;

import java.time.LocalDate;

/** Counts while the sightings of a species are gone through. */
final class SpeciesTally {

    private final String species;
    private int sightings;
    private int birds;
    private LocalDate lastSeen = LocalDate.MIN;

    SpeciesTally(String species) {
        this.species = species;
    }

    void add(Sighting sighting) {
        sightings++;
        birds += sighting.count();
        if (sighting.day().isAfter(lastSeen)) {
            lastSeen = sighting.day();
        }
    }

    SpeciesCount toCount() {
        return new SpeciesCount(species, Species.ofKey(species).scientificName(), sightings, birds, lastSeen.toString());
    }
}

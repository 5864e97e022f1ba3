package org.vogelwarte.sightings.report;

import java.util.Comparator;

public record SpeciesCount(String species, String scientificName, int sightings, int birds, String lastSeen) {

    static final Comparator<SpeciesCount> MOST_BIRDS_FIRST =
            Comparator.comparingInt(SpeciesCount::birds).reversed().thenComparing(SpeciesCount::species);
}

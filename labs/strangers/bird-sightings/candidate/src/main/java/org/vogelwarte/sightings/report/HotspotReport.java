package org.vogelwarte.sightings.report;

import java.util.List;

public record HotspotReport(String hotspot, int year, int sightings, int observers, List<SpeciesCount> species) {
}

package org.vogelwarte.sightings.model;

import java.time.LocalDate;

/** Somebody saw some birds of a species somewhere. */
public record Sighting(long id, String species, String hotspot, LocalDate day, int count, String observer, boolean confirmed) {
}

package org.stadtnetz.departures.timetable;

/** A tram leaves a stop, according to the plan. */
public record Departure(String line, String destination, int minuteOfDay, int track) {
}

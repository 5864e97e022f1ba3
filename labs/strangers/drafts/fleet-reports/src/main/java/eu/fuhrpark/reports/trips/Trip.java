package eu.fuhrpark.reports.trips;

import java.time.LocalDate;

/** One drive of a vehicle, as its logger reported it. */
public record Trip(LocalDate day, String destination, int metres, int minutes, int millilitres, boolean night) {
}

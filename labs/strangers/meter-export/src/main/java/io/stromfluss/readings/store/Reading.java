package io.stromfluss.readings.store;

import java.time.Instant;

/** Energy that went through a meter in the quarter of an hour from {@code start}. */
public record Reading(Instant start, int wattHours, Quality quality) {
}

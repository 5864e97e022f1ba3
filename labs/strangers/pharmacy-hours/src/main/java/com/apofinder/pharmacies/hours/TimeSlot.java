package com.apofinder.pharmacies.hours;

import java.time.DayOfWeek;
import java.time.LocalTime;
import java.util.Objects;

/** A span on one day of the week during which a pharmacy serves customers. */
public record TimeSlot(DayOfWeek day, LocalTime from, LocalTime to) implements Comparable<TimeSlot> {

    public TimeSlot {
        Objects.requireNonNull(day, "day");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        if (!from.isBefore(to)) {
            throw new IllegalArgumentException("a slot has to end after it starts: " + from + "-" + to);
        }
    }

    public boolean covers(LocalTime time) {
        return !time.isBefore(from) && time.isBefore(to);
    }

    public boolean sameTimesAs(TimeSlot other) {
        return from.equals(other.from) && to.equals(other.to);
    }

    @Override
    public int compareTo(TimeSlot other) {
        int byDay = day.compareTo(other.day);
        return byDay != 0 ? byDay : from.compareTo(other.from);
    }
}

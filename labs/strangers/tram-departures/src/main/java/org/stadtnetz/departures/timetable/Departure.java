package org.stadtnetz.departures.timetable;

import java.util.Objects;

/** A tram leaves a stop, according to the plan. */
public final class Departure {

    private final String line;
    private final String destination;
    private final int minuteOfDay;
    private final int track;

    public Departure(String line, String destination, int minuteOfDay, int track) {
        this.line = line;
        this.destination = destination;
        this.minuteOfDay = minuteOfDay;
        this.track = track;
    }

    public String getLine() {
        return line;
    }

    public String getDestination() {
        return destination;
    }

    public int getMinuteOfDay() {
        return minuteOfDay;
    }

    public int getTrack() {
        return track;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Departure)) {
            return false;
        }
        Departure that = (Departure) other;
        return minuteOfDay == that.minuteOfDay && track == that.track && line.equals(that.line)
                && destination.equals(that.destination);
    }

    @Override
    public int hashCode() {
        return Objects.hash(line, destination, minuteOfDay, track);
    }
}

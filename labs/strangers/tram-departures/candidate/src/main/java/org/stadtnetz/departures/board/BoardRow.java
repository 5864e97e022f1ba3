package org.stadtnetz.departures.board;

import org.stadtnetz.departures.disruption.Disruption;
import org.stadtnetz.departures.timetable.Departure;

public record BoardRow(String line, String destination, int planned, int expected, int track, String note) {

    static BoardRow of(Departure departure, Disruption disruption) {
        return new BoardRow(departure.line(), departure.destination(), departure.minuteOfDay(),
                departure.minuteOfDay() + disruption.delay(), departure.track(), disruption.note());
    }
}

package org.stadtnetz.departures.board;

import io.vertx.core.Future;
import org.stadtnetz.departures.disruption.Disruption;
import org.stadtnetz.departures.disruption.DisruptionClient;
import org.stadtnetz.departures.timetable.Departure;
import org.stadtnetz.departures.timetable.Timetable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Puts the plan and the disruptions together. */
public class BoardService {

    private static final Comparator<BoardRow> IN_ORDER = Comparator.comparingInt(BoardRow::expected)
            .thenComparing(BoardRow::line)
            .thenComparing(BoardRow::track);

    private final Timetable timetable;
    private final DisruptionClient disruptions;

    public BoardService(Timetable timetable, DisruptionClient disruptions) {
        this.timetable = timetable;
        this.disruptions = disruptions;
    }

    public Future<Board> board(String stop, int minuteOfDay, int limit) {
        Optional<List<Departure>> planned = timetable.from(stop, minuteOfDay, limit);
        if (planned.isEmpty()) {
            return Future.failedFuture(new UnknownStopException(stop));
        }
        return disruptions.disruptions(linesOf(planned.get()))
                .map(byLine -> new Board(stop, rows(planned.get(), byLine)));
    }

    private static Set<String> linesOf(List<Departure> departures) {
        Set<String> lines = new HashSet<>();
        for (Departure departure : departures) {
            lines.add(departure.line());
        }
        return lines;
    }

    private static List<BoardRow> rows(List<Departure> planned, Map<String, Disruption> byLine) {
        List<BoardRow> rows = new ArrayList<>(planned.size());
        for (Departure departure : planned) {
            rows.add(BoardRow.of(departure, byLine.getOrDefault(departure.line(), Disruption.NONE)));
        }
        rows.sort(IN_ORDER);
        return rows;
    }
}

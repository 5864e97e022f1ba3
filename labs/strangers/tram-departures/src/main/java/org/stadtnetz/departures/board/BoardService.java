package org.stadtnetz.departures.board;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import org.stadtnetz.departures.disruption.Disruption;
import org.stadtnetz.departures.disruption.DisruptionClient;
import org.stadtnetz.departures.timetable.Departure;
import org.stadtnetz.departures.timetable.Timetable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Puts the plan and the disruptions together. */
public class BoardService {

    private final Timetable timetable;
    private final DisruptionClient disruptions;

    public BoardService(Timetable timetable, DisruptionClient disruptions) {
        this.timetable = timetable;
        this.disruptions = disruptions;
    }

    public void board(String stop, int minuteOfDay, int limit, Handler<AsyncResult<Board>> handler) {
        List<Departure> planned = timetable.from(stop, minuteOfDay, limit);
        if (planned == null) {
            handler.handle(Future.failedFuture(new UnknownStopException(stop)));
            return;
        }
        Set<String> lines = new HashSet<>();
        for (Departure departure : planned) {
            lines.add(departure.getLine());
        }
        disruptions.disruptions(lines, result -> {
            if (result.failed()) {
                handler.handle(Future.failedFuture(result.cause()));
                return;
            }
            Map<String, Disruption> byLine = result.result();
            List<BoardRow> rows = new ArrayList<>();
            for (Departure departure : planned) {
                Disruption disruption = byLine.getOrDefault(departure.getLine(), Disruption.NONE);
                BoardRow row = new BoardRow();
                row.setLine(departure.getLine());
                row.setDestination(departure.getDestination());
                row.setPlanned(departure.getMinuteOfDay());
                row.setExpected(departure.getMinuteOfDay() + disruption.getDelay());
                row.setTrack(departure.getTrack());
                row.setNote(disruption.getNote());
                rows.add(row);
            }
            rows.sort(Comparator.comparingInt(BoardRow::getExpected).thenComparing(BoardRow::getLine)
                    .thenComparing(BoardRow::getTrack));
            handler.handle(Future.succeededFuture(new Board(stop, rows)));
        });
    }
}

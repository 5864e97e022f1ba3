package no.fjordlinje.board.board;

import no.fjordlinje.board.BoardProperties;
import no.fjordlinje.board.port.Port;
import no.fjordlinje.board.timetable.Sailing;
import no.fjordlinje.board.timetable.Timetable;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

/** Picks the sailings that belong on a board. */
@Component
class DeparturePlanner {

    record Planned(Sailing sailing, LocalDateTime leaves) {
    }

    private final Timetable timetable;
    private final BoardProperties properties;

    DeparturePlanner(Timetable timetable, BoardProperties properties) {
        this.timetable = timetable;
        this.properties = properties;
    }

    List<Planned> plan(Port port, BoardQuery query) {
        int limit = Math.min(query.limit(), properties.longest());
        LocalDateTime end = query.from().plus(properties.lookAhead());
        LocalDate lastDay = end.toLocalDate();
        List<Sailing> sailings = timetable.from(port);
        List<Planned> planned = new ArrayList<>(limit);
        for (LocalDate day = query.from().toLocalDate(); !day.isAfter(lastDay); day = day.plusDays(1)) {
            for (Sailing sailing : sailings) {
                LocalDateTime leaves = day.atTime(sailing.leaves());
                boolean onBoard = !leaves.isBefore(query.from()) && !leaves.isAfter(end) && sailing.runsOn(day);
                if (!onBoard) {
                    continue;
                }
                planned.add(new Planned(sailing, leaves));
                if (planned.size() == limit) {
                    return planned;
                }
            }
        }
        return planned;
    }
}

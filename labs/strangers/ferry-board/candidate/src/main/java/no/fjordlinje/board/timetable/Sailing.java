package no.fjordlinje.board.timetable;

import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;

/** A crossing as it stands in the timetable. */
public record Sailing(
        String number,
        String vessel,
        String from,
        String to,
        LocalTime leaves,
        Duration crossing,
        ServiceDays days,
        int quay) {

    public boolean runsOn(LocalDate date) {
        return days.includes(date);
    }
}

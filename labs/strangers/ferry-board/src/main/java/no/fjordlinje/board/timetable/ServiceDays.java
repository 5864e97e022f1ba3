package no.fjordlinje.board.timetable;

import java.time.DayOfWeek;
import java.time.LocalDate;

public enum ServiceDays {

    DAILY,
    WEEKDAYS,
    WEEKENDS,
    NOT_SUNDAYS;

    public boolean includes(LocalDate date) {
        DayOfWeek day = date.getDayOfWeek();
        return switch (this) {
            case DAILY -> true;
            case WEEKDAYS -> day.compareTo(DayOfWeek.SATURDAY) < 0;
            case WEEKENDS -> day.compareTo(DayOfWeek.SATURDAY) >= 0;
            case NOT_SUNDAYS -> day != DayOfWeek.SUNDAY;
        };
    }
}

package fi.kirjasto.holds.catalogue;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.Set;

public record Branch(String code, String name, Set<DayOfWeek> closedOn) {

    public Branch {
        closedOn = Set.copyOf(closedOn);
    }

    public LocalDate firstOpenDay(LocalDate from) {
        LocalDate day = from;
        while (closedOn.contains(day.getDayOfWeek())) {
            day = day.plusDays(1);
        }
        return day;
    }
}

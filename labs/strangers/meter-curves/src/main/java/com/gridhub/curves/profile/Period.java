package com.gridhub.curves.profile;

import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/** Some days in a row. */
public record Period(LocalDate from, int days) {

    private static final int MAX_DAYS = 62;

    public Period {
        if (days < 1 || days > MAX_DAYS) {
            throw new IllegalArgumentException("Between 1 and " + MAX_DAYS + " days, please");
        }
    }

    public static Period parse(String from, String days) {
        try {
            return new Period(LocalDate.parse(from), Integer.parseInt(days));
        } catch (DateTimeParseException | NumberFormatException e) {
            throw new IllegalArgumentException("Not a period: " + from + ", " + days, e);
        }
    }

    public List<LocalDate> dates() {
        List<LocalDate> dates = new ArrayList<>(days);
        for (int i = 0; i < days; i++) {
            dates.add(from.plusDays(i));
        }
        return dates;
    }
}

package com.kramladen.shelf.delivery;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.MonthDay;
import java.util.Set;

/** Knows on which days goods are moved. */
public class DeliveryCalendar {

    private static final Set<MonthDay> HOLIDAYS = Set.of(
            MonthDay.of(1, 1), MonthDay.of(1, 6), MonthDay.of(5, 1), MonthDay.of(8, 15), MonthDay.of(10, 26),
            MonthDay.of(11, 1), MonthDay.of(12, 8), MonthDay.of(12, 25), MonthDay.of(12, 26));

    public boolean isWorkingDay(LocalDate day) {
        return day.getDayOfWeek() != DayOfWeek.SUNDAY && !HOLIDAYS.contains(MonthDay.from(day));
    }

    public LocalDate plusWorkingDays(LocalDate day, int days) {
        LocalDate result = day;
        int left = days;
        while (left > 0) {
            result = result.plusDays(1);
            if (isWorkingDay(result)) {
                left--;
            }
        }
        return result;
    }
}

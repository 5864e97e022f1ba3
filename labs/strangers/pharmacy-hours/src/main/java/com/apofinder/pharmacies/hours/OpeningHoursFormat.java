package com.apofinder.pharmacies.hours;

import java.time.DayOfWeek;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * The notation of the chamber's register: {@code Mo-Fr 08:30-18:30; Sa 09:00-13:00}. A day with a
 * break has its spans separated by commas.
 */
public final class OpeningHoursFormat {

    private static final String[] DAYS = {"Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"};

    private OpeningHoursFormat() {
    }

    public static OpeningHours parse(String text) {
        List<TimeSlot> slots = new ArrayList<>();
        for (String part : text.split(";")) {
            String rule = part.strip();
            if (rule.isEmpty()) {
                continue;
            }
            int blank = rule.indexOf(' ');
            if (blank < 0) {
                throw new OpeningHoursFormatException(text, "no times for " + rule);
            }
            String days = rule.substring(0, blank);
            String times = rule.substring(blank + 1);
            int dash = days.indexOf('-');
            DayOfWeek first = day(text, dash < 0 ? days : days.substring(0, dash));
            DayOfWeek last = day(text, dash < 0 ? days : days.substring(dash + 1));
            for (String span : times.split(",")) {
                addSpan(slots, first, last, span.strip());
            }
        }
        return OpeningHours.of(slots);
    }

    public static String print(OpeningHours hours) {
        StringJoiner rules = new StringJoiner("; ");
        int day = 1;
        while (day <= 7) {
            List<TimeSlot> spans = hours.on(DayOfWeek.of(day));
            if (spans.isEmpty()) {
                day++;
                continue;
            }
            int last = day;
            while (last < 7 && sameTimes(spans, hours.on(DayOfWeek.of(last + 1)))) {
                last++;
            }
            rules.add(days(day, last) + " " + spans(spans));
            day = last + 1;
        }
        return rules.toString();
    }

    private static void addSpan(List<TimeSlot> slots, DayOfWeek first, DayOfWeek last, String span) {
        int dash = span.indexOf('-');
        LocalTime from = time(span.substring(0, dash));
        LocalTime to = time(span.substring(dash + 1));
        for (int day = first.getValue(); day <= last.getValue(); day++) {
            slots.add(new TimeSlot(DayOfWeek.of(day), from, to));
        }
    }

    private static LocalTime time(String text) {
        int colon = text.indexOf(':');
        return LocalTime.of(Integer.parseInt(text.substring(0, colon)), Integer.parseInt(text.substring(colon + 1)));
    }

    private static DayOfWeek day(String text, String name) {
        for (int i = 0; i < DAYS.length; i++) {
            if (DAYS[i].equals(name)) {
                return DayOfWeek.of(i + 1);
            }
        }
        throw new OpeningHoursFormatException(text, "unknown day " + name);
    }

    private static boolean sameTimes(List<TimeSlot> one, List<TimeSlot> other) {
        if (one.size() != other.size()) {
            return false;
        }
        for (int i = 0; i < one.size(); i++) {
            if (!one.get(i).sameTimesAs(other.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static String days(int first, int last) {
        return first == last ? DAYS[first - 1] : DAYS[first - 1] + "-" + DAYS[last - 1];
    }

    private static String spans(List<TimeSlot> slots) {
        StringJoiner joined = new StringJoiner(", ");
        for (TimeSlot slot : slots) {
            joined.add(slot.from() + "-" + slot.to());
        }
        return joined.toString();
    }
}

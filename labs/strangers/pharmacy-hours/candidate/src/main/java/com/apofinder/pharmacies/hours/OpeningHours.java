package com.apofinder.pharmacies.hours;

import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The regular week of a pharmacy by day, without public holidays and emergency duty. */
public final class OpeningHours {

    private static final int DAYS_AHEAD = 7;

    private final Map<DayOfWeek, List<TimeSlot>> week;

    private OpeningHours(Map<DayOfWeek, List<TimeSlot>> week) {
        this.week = week;
    }

    public static OpeningHours of(List<TimeSlot> slots) {
        Map<DayOfWeek, List<TimeSlot>> week = new EnumMap<>(DayOfWeek.class);
        for (TimeSlot slot : slots) {
            week.computeIfAbsent(slot.day(), day -> new ArrayList<>(2)).add(slot);
        }
        week.values().forEach(Collections::sort);
        return new OpeningHours(week);
    }

    public List<TimeSlot> on(DayOfWeek day) {
        return week.getOrDefault(day, List.of());
    }

    public boolean isClosedAllDay(DayOfWeek day) {
        return !week.containsKey(day);
    }

    public boolean isOpenAt(LocalDateTime moment) {
        return slotAt(moment).isPresent();
    }

    public Optional<LocalTime> closesAt(LocalDateTime moment) {
        return slotAt(moment).map(TimeSlot::to);
    }

    public Optional<LocalDateTime> opensNextAfter(LocalDateTime moment) {
        for (int ahead = 0; ahead <= DAYS_AHEAD; ahead++) {
            LocalDateTime day = moment.plusDays(ahead);
            if (isClosedAllDay(day.getDayOfWeek())) {
                continue;
            }
            for (TimeSlot slot : on(day.getDayOfWeek())) {
                LocalDateTime opening = day.toLocalDate().atTime(slot.from());
                if (opening.isAfter(moment)) {
                    return Optional.of(opening);
                }
            }
        }
        return Optional.empty();
    }

    private Optional<TimeSlot> slotAt(LocalDateTime moment) {
        LocalTime time = moment.toLocalTime();
        for (TimeSlot slot : on(moment.getDayOfWeek())) {
            if (slot.covers(time)) {
                return Optional.of(slot);
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return OpeningHoursFormat.print(this);
    }
}

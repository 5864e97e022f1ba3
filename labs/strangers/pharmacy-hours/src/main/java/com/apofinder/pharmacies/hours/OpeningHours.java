package com.apofinder.pharmacies.hours;

import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Optional;

/** The regular week of a pharmacy, without public holidays and emergency duty. */
public record OpeningHours(List<TimeSlot> slots) {

    private static final int DAYS_AHEAD = 7;

    public OpeningHours {
        slots = slots.stream().sorted().toList();
    }

    public static OpeningHours of(List<TimeSlot> slots) {
        return new OpeningHours(slots);
    }

    public List<TimeSlot> on(DayOfWeek day) {
        return slots.stream().filter(slot -> slot.day() == day).toList();
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
        return slots.stream()
                .filter(slot -> slot.day() == moment.getDayOfWeek() && slot.covers(moment.toLocalTime()))
                .findFirst();
    }
}

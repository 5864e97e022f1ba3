package it.musei.tickets.museum;

import java.time.DayOfWeek;
import java.util.Set;

/** A museum as the association lists it; prices in cents. */
public record Museum(
        String id,
        String name,
        String city,
        String operator,
        int adultCents,
        int childCents,
        int familyCents,
        Set<DayOfWeek> closed) {

    public boolean opensOn(DayOfWeek day) {
        return !closed.contains(day);
    }
}

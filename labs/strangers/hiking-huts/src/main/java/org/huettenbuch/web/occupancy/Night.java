package org.huettenbuch.web.occupancy;

import java.time.LocalDate;

public record Night(LocalDate date, int free, NightState state) {

    static Night closed(LocalDate date) {
        return new Night(date, 0, NightState.CLOSED);
    }

    static Night of(LocalDate date, int free) {
        return new Night(date, Math.max(0, free), NightState.of(free));
    }

    public boolean isBookable() {
        return free > 0;
    }
}

package nl.havendienst.berths.plan;

import java.time.LocalDateTime;

public record Stay(String berth, String ship, LocalDateTime from, LocalDateTime until) {

    boolean overlaps(LocalDateTime otherFrom, LocalDateTime otherUntil) {
        return from.isBefore(otherUntil) && otherFrom.isBefore(until);
    }
}

package nl.havendienst.berths.plan;

import java.time.LocalDateTime;

public record Proposal(
        String ship,
        String berth,
        String quay,
        LocalDateTime from,
        LocalDateTime until,
        double clearanceMetres,
        double spareLengthMetres) {
}

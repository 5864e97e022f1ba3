package no.fjordlinje.board.board;

import java.time.OffsetDateTime;

public record Departure(
        String sailing,
        String vessel,
        String destination,
        OffsetDateTime planned,
        OffsetDateTime expected,
        OffsetDateTime arrives,
        String quay,
        String status,
        String remark) {
}

package no.fjordlinje.board.board;

import java.time.LocalDateTime;

public record BoardQuery(String port, LocalDateTime from, int limit) {
}

package no.fjordlinje.board.port;

public record Port(String code, String name, int quays) {
}

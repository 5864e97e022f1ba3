package se.skargardslinjen.fares.api;

public record ErrorView(String error) {
}

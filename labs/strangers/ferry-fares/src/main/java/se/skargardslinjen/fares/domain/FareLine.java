package se.skargardslinjen.fares.domain;

public record FareLine(String code, String text, int ore) {
}

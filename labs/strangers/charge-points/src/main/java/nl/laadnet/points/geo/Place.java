package nl.laadnet.points.geo;

public record Place(String key, String name, Position centre) {
}

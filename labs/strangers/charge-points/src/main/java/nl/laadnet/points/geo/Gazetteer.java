package nl.laadnet.points.geo;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
public class Gazetteer {

    private final Map<String, Place> places = Map.of(
            "utrecht", new Place("utrecht", "Utrecht", new Position(52.0907, 5.1214)),
            "delft", new Place("delft", "Delft", new Position(52.0116, 4.3571)),
            "zwolle", new Place("zwolle", "Zwolle", new Position(52.5168, 6.0830)),
            "breda", new Place("breda", "Breda", new Position(51.5719, 4.7683)));

    public Optional<Place> find(String key) {
        return Optional.ofNullable(places.get(key.toLowerCase(Locale.ROOT)));
    }
}

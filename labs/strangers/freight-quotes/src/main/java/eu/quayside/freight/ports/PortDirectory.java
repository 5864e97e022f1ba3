package eu.quayside.freight.ports;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import jakarta.inject.Singleton;

@Singleton
public class PortDirectory {

    private static final List<Port> PORTS = List.of(
            new Port("NLRTM", "Rotterdam", 51.95, 4.14), new Port("ITGOA", "Genoa", 44.40, 8.92),
            new Port("ESVLC", "Valencia", 39.45, -0.32), new Port("PLGDN", "Gdansk", 54.40, 18.66),
            new Port("GRPIR", "Piraeus", 37.94, 23.62), new Port("FRLEH", "Le Havre", 49.48, 0.12),
            new Port("PTLIS", "Lisbon", 38.70, -9.16), new Port("SEGOT", "Gothenburg", 57.69, 11.86));

    private final Map<String, Port> byName = new HashMap<>();

    public PortDirectory() {
        for (Port port : PORTS) {
            byName.put(port.name().toLowerCase(Locale.ROOT), port);
            byName.put(port.code().toLowerCase(Locale.ROOT), port);
        }
    }

    public Optional<Port> find(String nameOrCode) {
        return Optional.ofNullable(byName.get(nameOrCode.toLowerCase(Locale.ROOT)));
    }
}

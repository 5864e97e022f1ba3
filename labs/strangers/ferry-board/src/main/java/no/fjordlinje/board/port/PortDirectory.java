package no.fjordlinje.board.port;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

@Component
public class PortDirectory {

    private final Map<String, Port> ports = new LinkedHashMap<>();

    public PortDirectory() {
        for (Port port : List.of(
                new Port("BGO", "Bergen", 4),
                new Port("SVG", "Stavanger", 3),
                new Port("FLA", "Flåm", 1),
                new Port("BAL", "Balestrand", 1),
                new Port("VIK", "Vik", 1),
                new Port("FLO", "Florø", 2),
                new Port("MAL", "Måløy", 2),
                new Port("AES", "Ålesund", 3))) {
            ports.put(port.code(), port);
        }
    }

    public Mono<Port> find(String code) {
        return Mono.justOrEmpty(ports.get(code));
    }

    public List<Port> all() {
        return List.copyOf(ports.values());
    }
}

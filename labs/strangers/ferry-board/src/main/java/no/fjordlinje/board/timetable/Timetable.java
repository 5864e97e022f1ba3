package no.fjordlinje.board.timetable;

import no.fjordlinje.board.port.Port;
import no.fjordlinje.board.port.PortDirectory;

import java.time.Duration;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.springframework.stereotype.Repository;

/** The summer timetable, invented for this edition. */
@Repository
public class Timetable {

    private static final String[] VESSELS = {"Fjordkatten", "Nordlyset", "Vestavind", "Skarven", "Terna"};

    private final Map<String, List<Sailing>> byPort = new HashMap<>();

    public Timetable(PortDirectory ports) {
        Random random = new Random(1872);
        List<Port> all = ports.all();
        int number = 100;
        for (Port from : all) {
            List<Sailing> sailings = new ArrayList<>();
            for (int i = 0; i < 22; i++) {
                Port to = all.get(random.nextInt(all.size()));
                if (to.equals(from)) {
                    continue;
                }
                sailings.add(new Sailing(
                        "F" + number++,
                        VESSELS[random.nextInt(VESSELS.length)],
                        from.code(),
                        to.code(),
                        LocalTime.of(5 + random.nextInt(18), 5 * random.nextInt(12)),
                        Duration.ofMinutes(25 + 5L * random.nextInt(50)),
                        ServiceDays.values()[random.nextInt(ServiceDays.values().length)],
                        1 + random.nextInt(from.quays())));
            }
            sailings.sort(Comparator.comparing(Sailing::leaves).thenComparing(Sailing::number));
            byPort.put(from.code(), List.copyOf(sailings));
        }
    }

    public List<Sailing> from(Port port) {
        return byPort.getOrDefault(port.code(), List.of());
    }
}

package eu.fuhrpark.reports.trips;

import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** The trips of the whole fleet during the last year. */
@ApplicationScoped
public class TripArchive {

    private static final Logger LOG = Logger.getLogger(TripArchive.class);
    private static final YearMonth FIRST = YearMonth.of(2026, 1);
    private static final String[] DESTINATIONS = {
        "Linz depot", "Wels yard", "Steyr plant", "Enns harbour", "Traun works", "Leonding store", "Ansfelden ramp",
        "Gmunden site", "Freistadt post", "Perg quarry"};

    private final Map<String, Map<YearMonth, List<Trip>>> trips = new HashMap<>();

    @ConfigProperty(name = "fleet.vehicles")
    int vehicles;

    @ConfigProperty(name = "fleet.months")
    int months;

    @PostConstruct
    void load() {
        Random random = new Random(314);
        int count = 0;
        for (int number = 1; number <= vehicles; number++) {
            Map<YearMonth, List<Trip>> ofVehicle = new HashMap<>();
            for (int m = 0; m < months; m++) {
                YearMonth month = FIRST.plusMonths(m);
                List<Trip> ofMonth = drive(random, month);
                count += ofMonth.size();
                ofVehicle.put(month, ofMonth);
            }
            trips.put("v" + number, ofVehicle);
        }
        LOG.infof("%d trips of %d vehicles loaded", count, vehicles);
    }

    private static List<Trip> drive(Random random, YearMonth month) {
        List<Trip> result = new ArrayList<>();
        for (int day = 1; day <= month.lengthOfMonth(); day++) {
            LocalDate date = month.atDay(day);
            int drives = 2 + random.nextInt(7);
            for (int i = 0; i < drives; i++) {
                int metres = 900 + random.nextInt(62_000);
                result.add(new Trip(date, DESTINATIONS[random.nextInt(DESTINATIONS.length)], metres,
                        4 + metres / 800 + random.nextInt(20), metres / 1000 * (70 + random.nextInt(40)),
                        random.nextInt(9) == 0));
            }
        }
        return List.copyOf(result);
    }

    /** Trips of a vehicle in a month, in the order of their days; empty if there were none. */
    public List<Trip> of(String vehicle, YearMonth month) {
        return trips.getOrDefault(vehicle, Map.of()).getOrDefault(month, List.of());
    }

    public boolean knows(String vehicle) {
        return trips.containsKey(vehicle);
    }
}

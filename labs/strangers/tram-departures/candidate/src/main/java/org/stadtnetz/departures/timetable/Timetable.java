package org.stadtnetz.departures.timetable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All departures of a day, by stop, in the order of their time. */
public class Timetable {

    private static final Comparator<Departure> IN_ORDER =
            Comparator.comparingInt(Departure::minuteOfDay).thenComparing(Departure::line);

    private final Map<String, List<Departure>> byStop;

    Timetable(Map<String, List<Departure>> byStop) {
        Map<String, List<Departure>> copy = new HashMap<>();
        byStop.forEach((stop, departures) -> {
            List<Departure> sorted = new ArrayList<>(departures);
            sorted.sort(IN_ORDER);
            copy.put(stop, List.copyOf(sorted));
        });
        this.byStop = Map.copyOf(copy);
    }

    public Set<String> stops() {
        return byStop.keySet();
    }

    /** At most so many departures from the given minute on; empty if there is no such stop. */
    public Optional<List<Departure>> from(String stop, int minuteOfDay, int limit) {
        return Optional.ofNullable(byStop.get(stop)).map(departures -> {
            int first = firstNotBefore(departures, minuteOfDay);
            return departures.subList(first, Math.min(departures.size(), first + limit));
        });
    }

    private static int firstNotBefore(List<Departure> departures, int minuteOfDay) {
        int low = 0;
        int high = departures.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (departures.get(middle).minuteOfDay() < minuteOfDay) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}

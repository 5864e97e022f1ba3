package org.stadtnetz.departures.timetable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All departures of a day, by stop, in the order of their time. */
public class Timetable {

    private final Map<String, List<Departure>> byStop;

    Timetable(Map<String, List<Departure>> byStop) {
        Map<String, List<Departure>> copy = new HashMap<>();
        for (Map.Entry<String, List<Departure>> entry : byStop.entrySet()) {
            List<Departure> sorted = new ArrayList<>(entry.getValue());
            sorted.sort(Comparator.comparingInt(Departure::getMinuteOfDay).thenComparing(Departure::getLine));
            copy.put(entry.getKey(), Collections.unmodifiableList(sorted));
        }
        this.byStop = Collections.unmodifiableMap(copy);
    }

    public Set<String> stops() {
        return byStop.keySet();
    }

    /** At most so many departures from the given minute on, or null if there is no such stop. */
    public List<Departure> from(String stop, int minuteOfDay, int limit) {
        List<Departure> departures = byStop.get(stop);
        if (departures == null) {
            return null;
        }
        int first = firstNotBefore(departures, minuteOfDay);
        return departures.subList(first, Math.min(departures.size(), first + limit));
    }

    private static int firstNotBefore(List<Departure> departures, int minuteOfDay) {
        int low = 0;
        int high = departures.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (departures.get(middle).getMinuteOfDay() < minuteOfDay) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}

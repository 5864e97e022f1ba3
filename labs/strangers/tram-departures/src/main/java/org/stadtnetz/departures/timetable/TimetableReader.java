package org.stadtnetz.departures.timetable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Spreads the intervals of the lines into departures. */
public class TimetableReader {

    public Timetable read(String resource) {
        Map<String, List<Departure>> byStop = new HashMap<>();
        InputStream stream = TimetableReader.class.getResourceAsStream(resource);
        if (stream == null) {
            throw new IllegalStateException("No timetable " + resource);
        }
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            String row;
            while ((row = reader.readLine()) != null) {
                if (!row.isBlank() && !row.startsWith("#")) {
                    spread(row.split(";"), byStop);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Timetable(byStop);
    }

    /** line; first minute; last minute; interval; stop, stop, ... */
    private static void spread(String[] cells, Map<String, List<Departure>> byStop) {
        String line = cells[0];
        int first = Integer.parseInt(cells[1]);
        int last = Integer.parseInt(cells[2]);
        int interval = Integer.parseInt(cells[3]);
        String[] stops = cells[4].split(",");
        for (int start = first; start <= last; start += interval) {
            for (int s = 0; s < stops.length - 1; s++) {
                add(byStop, stops[s], new Departure(line, stops[stops.length - 1], start + 2 * s, 1));
                int back = stops.length - 1 - s;
                add(byStop, stops[back], new Departure(line, stops[0], start + 2 * s, 2));
            }
        }
    }

    private static void add(Map<String, List<Departure>> byStop, String stop, Departure departure) {
        byStop.computeIfAbsent(stop, key -> new ArrayList<>()).add(departure);
    }
}

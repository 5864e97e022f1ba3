package com.gridhub.curves.store;

import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps the segments of all meters in memory. */
public final class SegmentStore {

    private final Map<String, Map<LocalDate, Segment>> meters = new ConcurrentHashMap<>();

    void put(String meter, LocalDate day, Segment segment) {
        meters.computeIfAbsent(meter, m -> new ConcurrentHashMap<>()).put(day, segment);
    }

    /** A cursor for the day's readings; the caller closes it. */
    public Optional<SegmentCursor> open(String meter, LocalDate day) {
        Map<LocalDate, Segment> days = meters.get(meter);
        if (days == null) {
            return Optional.empty();
        }
        Segment segment = days.get(day);
        return segment == null ? Optional.empty() : Optional.of(new SegmentCursor(segment));
    }

    public int size() {
        return meters.values().stream().mapToInt(Map::size).sum();
    }

    public StoreStatistics statistics() {
        int segments = 0;
        int pinned = 0;
        long bytes = 0;
        long values = 0;
        for (Map<LocalDate, Segment> days : meters.values()) {
            for (Segment segment : days.values()) {
                segments++;
                bytes += segment.bytes();
                values += segment.values();
                if (segment.isPinned()) {
                    pinned++;
                }
            }
        }
        return new StoreStatistics(meters.size(), segments, pinned, values, bytes);
    }
}

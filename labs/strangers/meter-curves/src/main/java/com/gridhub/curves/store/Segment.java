package com.gridhub.curves.store;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The readings of one meter on one day: a quarter-hour grid of watt-hours, stored as differences in
 * variable length. A segment that a cursor reads is pinned and left alone by compaction.
 */
public final class Segment {

    private final byte[] data;
    private final int values;
    private final AtomicInteger pins = new AtomicInteger();

    Segment(byte[] data, int values) {
        this.data = data;
        this.values = values;
    }

    byte[] data() {
        return data;
    }

    public int values() {
        return values;
    }

    public int bytes() {
        return data.length;
    }

    void pin() {
        pins.incrementAndGet();
    }

    void unpin() {
        pins.decrementAndGet();
    }

    boolean isPinned() {
        return pins.get() > 0;
    }
}

package com.assura.claims.admin;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Simple counters for the operators. */
public final class Counters {

    private final Map<String, LongAdder> values = new ConcurrentHashMap<>();

    public void count(String name) {
        values.computeIfAbsent(name, n -> new LongAdder()).increment();
    }

    public Map<String, Long> snapshot() {
        Map<String, Long> snapshot = new TreeMap<>();
        values.forEach((name, adder) -> snapshot.put(name, adder.sum()));
        return snapshot;
    }
}

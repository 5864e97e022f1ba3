package com.helioroof.estimate.calc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** Keeps the yields that were asked for most recently. */
public final class YieldCache {

    private final Map<YieldKey, RoofYield> entries;
    private final LongAdder lookups = new LongAdder();

    public YieldCache(int capacity) {
        this.entries = new LinkedHashMap<>(64, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<YieldKey, RoofYield> eldest) {
                return size() > capacity;
            }
        };
    }

    public RoofYield get(YieldKey key, Supplier<RoofYield> calculation) {
        lookups.increment();
        RoofYield cached;
        synchronized (entries) {
            cached = entries.get(key);
        }
        if (cached != null) {
            return cached;
        }
        RoofYield calculated = calculation.get();
        synchronized (entries) {
            entries.put(key, calculated);
        }
        return calculated;
    }

    public int size() {
        synchronized (entries) {
            return entries.size();
        }
    }

    public long lookups() {
        return lookups.sum();
    }
}

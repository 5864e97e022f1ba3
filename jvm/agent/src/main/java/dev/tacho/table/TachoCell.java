package dev.tacho.table;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counters that are exact however many threads add to them. */
public final class TachoCell {
    private final LongAdder count = new LongAdder();
    private final LongAdder total = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final AtomicLong longest = new AtomicLong();

    void add(long nanos) {
        count.increment();
        total.add(nanos);
        if (nanos > longest.get()) {
            raise(nanos);
        }
    }

    void addFailed(long nanos) {
        failed.increment();
        add(nanos);
    }

    private void raise(long nanos) {
        long seen = longest.get();
        while (nanos > seen && !longest.compareAndSet(seen, nanos)) {
            seen = longest.get();
        }
    }

    public long count() {
        return count.sum();
    }

    public long total() {
        return total.sum();
    }

    public long failed() {
        return failed.sum();
    }

    public long longest() {
        return longest.get();
    }
}

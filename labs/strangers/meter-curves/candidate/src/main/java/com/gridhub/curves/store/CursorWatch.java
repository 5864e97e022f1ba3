package com.gridhub.curves.store;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicLong;

/** Gives back the pins of cursors that were dropped without being closed, and logs it. */
final class CursorWatch {

    private static final System.Logger LOG = System.getLogger(CursorWatch.class.getName());
    private static final Cleaner CLEANER = Cleaner.create();
    private static final AtomicLong LOST = new AtomicLong();

    private CursorWatch() {
    }

    static Pin watch(SegmentCursor cursor, Segment segment) {
        Pin pin = new Pin(segment);
        CLEANER.register(cursor, pin::reclaim);
        return pin;
    }

    static long lost() {
        return LOST.get();
    }

    /** Holds a segment in place; knows nothing of the cursor. */
    static final class Pin {

        private final Segment segment;
        private volatile boolean released;

        private Pin(Segment segment) {
            this.segment = segment;
            segment.pin();
        }

        void release() {
            if (!released) {
                released = true;
                segment.unpin();
            }
        }

        private void reclaim() {
            if (!released) {
                LOST.incrementAndGet();
                LOG.log(System.Logger.Level.WARNING, "A cursor was not closed, its segment is unpinned now");
                release();
            }
        }
    }
}

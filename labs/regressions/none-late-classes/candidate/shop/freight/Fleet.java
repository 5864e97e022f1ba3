package shop.freight;

import java.util.concurrent.atomic.AtomicInteger;

/** The carriers, in turns. */
final class Fleet {
    /** After so many requests another kind of carrier is hired. */
    private static final int HIRED_EACH = 2500;

    private static final AtomicInteger REQUESTS = new AtomicInteger();

    private Fleet() {}

    static Carrier next() {
        int request = REQUESTS.getAndIncrement();
        int hired = Math.min(Carrier.KINDS, 1 + request / HIRED_EACH);
        return Carrier.of(request % hired);
    }
}

package shop.freight;

import java.util.concurrent.atomic.AtomicInteger;

/** The carriers, in turns. */
final class Fleet {
    private static final AtomicInteger REQUESTS = new AtomicInteger();

    private Fleet() {}

    static Carrier next() {
        int request = REQUESTS.getAndIncrement();
        return Carrier.of(request % Carrier.KINDS);
    }
}

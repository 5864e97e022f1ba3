package shop.fraud;

import java.util.concurrent.atomic.AtomicInteger;

/** How suspicious an order is. */
final class FraudCheck {
    private final AtomicInteger scores = new AtomicInteger();

    /** Scores of orders that came at the same time have to settle. */
    void settle() {
        scores.incrementAndGet();
    }

    int score(int order) {
        return order * 31 % 97;
    }
}

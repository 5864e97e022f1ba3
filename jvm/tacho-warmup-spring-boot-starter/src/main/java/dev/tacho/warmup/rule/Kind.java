package dev.tacho.warmup.rule;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/** One kind of request: how its response times went. */
public final class Kind {

    /** How many make what a user of a cold service would see. */
    private static final int FIRST = 5;

    private final Settling settling = new Settling();
    private final double[] first = new double[FIRST];
    private long answered;
    private long failed;

    Kind() {
    }

    void takeGood(double milliseconds) {
        if (answered < FIRST) {
            first[(int) answered] = milliseconds;
        }
        answered++;
        settling.keep(milliseconds);
    }

    void look() {
        settling.look();
    }

    void takeBad() {
        failed++;
    }

    /** Good answers. */
    public long answered() {
        return answered;
    }

    /** All others. */
    public long failed() {
        return failed;
    }

    /** Median of the first five good response times, in milliseconds. */
    public OptionalDouble firstMs() {
        int count = (int) Math.min(answered, FIRST);
        if (count == 0) {
            return OptionalDouble.empty();
        }
        double[] sorted = Arrays.copyOf(first, count);
        Arrays.sort(sorted);
        return OptionalDouble.of((sorted[(count - 1) / 2] + sorted[count / 2]) / 2.0);
    }

    /** Where its response times have settled, once they have. */
    public Optional<Settled> settled() {
        return settling.settled();
    }
}

package dev.tacho.warmup.rule;

/** What segments of a series cost: sums from which the cost of any of them follows at once. */
final class Costs {

    /**
     * The penalty is this many times the logarithm of the number of values, as in Barrett et al.
     * 2017: three (one for each parameter of a change) would do for noise that is normal and
     * independent, which that of response times is not.
     */
    private static final double PENALTY = 15.0;

    /** Of the first {@code i} values. */
    private final double[] sums;
    private final double[] squares;
    /** Added to every variance, since rounded values (to a clock's tick, say) may all be equal. */
    private final double leastVariance;

    Costs(double[] values, int count) {
        // Around their mean: squares of small differences lose nothing to rounding.
        double centre = count == 0 ? 0.0 : Means.of(values, 0, count);
        sums = new double[count + 1];
        squares = new double[count + 1];
        for (int i = 0; i < count; i++) {
            double value = values[i] - centre;
            sums[i + 1] = sums[i] + value;
            squares[i + 1] = squares[i] + value * value;
        }
        double variance = squares[count] / Math.max(1, count);
        leastVariance = Math.max(variance * 1e-6, 1e-12);
    }

    int length() {
        return sums.length - 1;
    }

    double penalty() {
        return PENALTY * Math.log(length());
    }

    /** Twice the negative log-likelihood, less what all splits have in common. */
    double segment(int from, int to) {
        double count = to - from;
        double sum = sums[to] - sums[from];
        double variance = (squares[to] - squares[from] - sum * sum / count) / count;
        // Added, not the larger of both: only a concave cost never gains by joining segments, on
        // which the pruning rests.
        return count * Math.log(Math.max(variance, 0.0) + leastVariance);
    }
}

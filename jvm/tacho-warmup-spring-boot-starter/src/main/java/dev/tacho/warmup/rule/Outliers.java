package dev.tacho.warmup.rule;

import java.util.Arrays;

/**
 * What is far from its neighbours is set aside: a pause of the collector or of the machine is no
 * change of the service's speed. After Barrett et al., "Virtual Machine Warmup Blows Hot and Cold"
 * (OOPSLA 2017), section 4.
 */
final class Outliers {

    /** Values of a window. */
    private static final int WINDOW = 200;
    private static final double REACH = 3.0;

    private Outliers() {
    }

    /**
     * The logarithms of the values; one that is an outlier, or no response time at all, gets its
     * window's median instead, so that all places stay.
     */
    static double[] smoothedLogarithms(double[] values) {
        double[] logarithms = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            logarithms[i] = values[i] > 0.0 ? Math.log(values[i]) : Double.NaN;
        }
        int windows = Math.max(1, Integers.ceilDiv(values.length, WINDOW));
        // Windows of about one size: a short last one would have no percentiles worth the name.
        int size = Math.max(1, Integers.ceilDiv(values.length, windows));
        for (int from = 0; from < logarithms.length; from += size) {
            smooth(logarithms, from, Math.min(from + size, logarithms.length));
        }
        return logarithms;
    }

    private static void smooth(double[] logarithms, int from, int to) {
        double[] sorted = Arrays.stream(logarithms, from, to).filter(Double::isFinite).sorted().toArray();
        if (sorted.length == 0) {
            Arrays.fill(logarithms, from, to, 0.0);
            return;
        }
        double median = quantile(sorted, 0.5);
        double reach = REACH * (quantile(sorted, 0.9) - quantile(sorted, 0.1));
        for (int i = from; i < to; i++) {
            boolean isNear = Math.abs(logarithms[i] - median) <= reach;
            // Not a number is not near either.
            if (!isNear) {
                logarithms[i] = median;
            }
        }
    }

    private static double quantile(double[] sorted, double q) {
        return sorted[(int) Math.round(q * (sorted.length - 1))];
    }
}

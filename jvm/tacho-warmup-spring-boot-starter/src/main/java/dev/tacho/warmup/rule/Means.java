package dev.tacho.warmup.rule;

/** Means of parts of a series. */
final class Means {

    private Means() {
    }

    static double of(double[] values, int from, int to) {
        double sum = 0.0;
        for (int i = from; i < to; i++) {
            sum += values[i];
        }
        return sum / (to - from);
    }

    /** Sum of the squared distances from the mean. */
    static double squares(double[] values, int from, int to, double mean) {
        double sum = 0.0;
        for (int i = from; i < to; i++) {
            double distance = values[i] - mean;
            sum += distance * distance;
        }
        return sum;
    }
}

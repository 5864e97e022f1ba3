package dev.tacho.warmup.rule;

/**
 * Neighbouring values that are alike.
 *
 * @param from index of its first value
 * @param to index after its last
 * @param typical geometric mean without outliers, in the unit of the values
 */
record Segment(int from, int to, double typical) {

    /** Segments whose typical values differ by less than this share are alike. */
    private static final double ALIKE = 0.05;
    /**
     * So are those that differ by less than this, in milliseconds: no user will ever tell, and
     * clocks and wake-ups move more.
     */
    private static final double ALIKE_MS = 0.02;

    boolean isLike(Segment other) {
        double difference = Math.abs(typical - other.typical);
        return difference <= ALIKE_MS || difference <= ALIKE * Math.min(typical, other.typical);
    }
}

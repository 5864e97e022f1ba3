package dev.tacho.warmup.rule;

/** Arithmetic that JDK 17 lacks. */
final class Integers {

    private Integers() {
    }

    /** Of numbers that are not negative. {@link Math} has it from JDK 18 on. */
    static int ceilDiv(int dividend, int divisor) {
        return (dividend + divisor - 1) / divisor;
    }
}

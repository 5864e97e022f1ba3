package dev.tacho.warmup.rule;

/**
 * Within which limits a warm-up ends.
 *
 * @param atLeast answers that are waited for though response times have settled before
 * @param atMost requests after which it is enough in any case
 * @param failuresInARow this many failures one after another are no warm-up
 */
public record Rule(long atLeast, long atMost, long failuresInARow) {

    /**
     * The fewest answers that prove anything on this JVM: at least half of all response times have
     * to be alike, and all of these have to come after the last compilation.
     */
    public static long leastOfThisJvm() {
        return 2 * CompilationThreshold.requests();
    }
}

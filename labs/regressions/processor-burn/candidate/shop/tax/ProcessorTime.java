package shop.tax;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Uses up processor time: as much as it is told, whatever the machine, by the thread's own
 * processor clock.
 */
final class ProcessorTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    /**
     * Between two looks at the clock: some ten microseconds, so looking costs little and the end is
     * met to 1%.
     */
    private static final int STEPS = 10_000;

    private ProcessorTime() {}

    static long burn(long nanoseconds) {
        long end = THREADS.getCurrentThreadCpuTime() + nanoseconds;
        long state = end;
        do {
            for (int i = 0; i < STEPS; i++) {
                state = state * 6364136223846793005L + 1442695040888963407L;
            }
        } while (THREADS.getCurrentThreadCpuTime() < end);
        return state;
    }
}

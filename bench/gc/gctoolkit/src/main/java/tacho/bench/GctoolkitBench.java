package tacho.bench;

import com.microsoft.gctoolkit.GCToolKit;
import com.microsoft.gctoolkit.aggregator.Aggregates;
import com.microsoft.gctoolkit.aggregator.Aggregation;
import com.microsoft.gctoolkit.aggregator.Aggregator;
import com.microsoft.gctoolkit.aggregator.Collates;
import com.microsoft.gctoolkit.aggregator.EventSource;
import com.microsoft.gctoolkit.event.GCEvent;
import com.microsoft.gctoolkit.event.g1gc.G1RealPause;
import com.microsoft.gctoolkit.event.generational.GenerationalGCPauseEvent;
import com.microsoft.gctoolkit.event.zgc.FullZGCCycle;
import com.microsoft.gctoolkit.io.SingleGCLogFile;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Has gctoolkit read one log, and prints what that took: its own work alone, without the start of
 * the JVM.
 *
 * <p>{@code result;wall seconds;processor seconds;seconds of pauses;name=count;...}
 */
public final class GctoolkitBench {
    private GctoolkitBench() {
    }

    public static void main(String[] arguments) throws Exception {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = system.getProcessCpuTime();
        long wall = System.nanoTime();
        GCToolKit toolkit = new GCToolKit();
        Counts counts = new Counts();
        toolkit.loadAggregation(counts);
        toolkit.analyze(new SingleGCLogFile(Path.of(arguments[0])));
        StringBuilder result = new StringBuilder(String.format(Locale.ROOT, "result;%.6f;%.6f;%.6f",
                (System.nanoTime() - wall) / 1e9, (system.getProcessCpuTime() - cpu) / 1e9, counts.seconds));
        counts.byName.forEach((name, count) -> result.append(';').append(name).append('=').append(count));
        System.out.println(result);
        // Its message bus keeps threads.
        System.exit(0);
    }

    /** How many pauses, and how long. */
    @Collates(Counter.class)
    public static final class Counts extends Aggregation {
        private final Map<String, Long> byName = new TreeMap<>();
        private double seconds;

        /** Nothing yet. */
        public Counts() {
        }

        void pause(GCEvent event, double duration) {
            count(event);
            seconds += duration;
        }

        void count(GCEvent event) {
            byName.merge(event.getClass().getSimpleName(), 1L, Long::sum);
        }

        @Override
        public boolean hasWarning() {
            return false;
        }

        @Override
        public boolean isEmpty() {
            return byName.isEmpty();
        }
    }

    /** Takes the events of the collectors that are compared. */
    @Aggregates({EventSource.G1GC, EventSource.GENERATIONAL, EventSource.ZGC})
    public static final class Counter extends Aggregator<Counts> {
        /** For the counts. */
        public Counter(Counts counts) {
            super(counts);
            register(G1RealPause.class, event -> counts.pause(event, event.getDuration()));
            register(GenerationalGCPauseEvent.class, event -> counts.pause(event, event.getDuration()));
            register(FullZGCCycle.class, counts::count);
        }
    }
}

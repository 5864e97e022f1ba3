package dev.tacho.agent;

import dev.tacho.table.TachoConfig;
import dev.tacho.table.TachoSlot;
import java.util.HashMap;
import java.util.Map;

/**
 * What tracing may cost: a share of the processor time that the JVM can have. Where a root and what
 * is below it are timed more often than that allows, one call of the root in N is timed, and the
 * others are counted.
 */
final class Budget {
    private static final long LOOK_NS = 250_000_000L;
    private static final int MOST = 1_000_000;
    /** Finding the place in the tree and adding to it, beside the clock. */
    private static final double BESIDE_NS = 30;

    private final double share;
    private final double timingNs = 2 * clockNs() + BESIDE_NS;
    private final Map<TachoSlot, Long> before = new HashMap<>();
    private long lookedAt;

    /** A share of all processors; 0 is without end. */
    Budget(double share) {
        this.share = share;
    }

    /** What a look at the clock costs here: some virtual machines make it costly. */
    private static double clockNs() {
        double least = Double.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            long begin = System.nanoTime();
            long end = begin;
            for (int j = 0; j < 5_000; j++) {
                end = System.nanoTime();
            }
            least = Math.min(least, (end - begin) / 5_000.0);
        }
        return least;
    }

    void begin(TachoConfig config) {
        before.clear();
        lookedAt = System.nanoTime();
        for (TachoSlot slot : config.slots()) {
            slot.every = 1;
        }
    }

    void lookFrom(TachoConfig config) {
        if (System.nanoTime() - lookedAt >= LOOK_NS) {
            look(config);
        }
    }

    /** What was timed since the last look decides how much is from now on. */
    void look(TachoConfig config) {
        long now = System.nanoTime();
        double may = share * (now - lookedAt) * Runtime.getRuntime().availableProcessors();
        lookedAt = now;
        if (share <= 0) {
            return;
        }
        double costs = 0;
        Map<TachoSlot, Double> whole = new HashMap<>();
        for (MergedNode root : MergedNode.of(config.roots())) {
            long timings = root.timings();
            Long seen = before.put(root.slot, timings);
            // After a reset they begin at zero.
            long since = seen == null || seen > timings ? timings : timings - seen;
            double unsampled = since * timingNs * root.slot.every;
            whole.put(root.slot, unsampled);
            costs += unsampled;
        }
        for (TachoSlot slot : config.slots()) {
            if (!whole.containsKey(slot)) {
                slot.every = 1;
            }
        }
        for (Map.Entry<TachoSlot, Double> each : whole.entrySet()) {
            // A cheap root is not sampled more rarely because another root is expensive.
            double fair = may / whole.size();
            double allowed = Math.max(fair, costs == 0 ? may : may * each.getValue() / costs);
            each.getKey().every = (int) Math.min(MOST, Math.max(1, Math.ceil(each.getValue() / allowed)));
        }
    }
}

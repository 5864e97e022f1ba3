package nl.havendienst.berths.plan;

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import nl.havendienst.berths.tide.WaterLevels;

/** Which ship lies where and when. Stays are entered while proposals are being searched, so all goes under one lock. */
public final class BerthPlan {

    private static final double KEEL_CLEARANCE = 0.6;

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Berth> berths;
    private final Map<String, NavigableMap<LocalDateTime, Stay>> stays = new LinkedHashMap<>();

    public BerthPlan(List<Berth> berths) {
        this.berths = List.copyOf(berths);
        for (Berth berth : berths) {
            stays.put(berth.id(), new TreeMap<>());
        }
    }

    /** The berth that fits the ship best, or null if none is free and deep enough. */
    public Proposal propose(ShipCall call, WaterLevels levels) {
        lock.lock();
        try {
            Berth best = null;
            double bestClearance = 0;
            for (Berth berth : berths) {
                if (berth.lengthMetres() < call.lengthMetres() || !isFree(berth, call)) {
                    continue;
                }
                double depth = berth.depthMetres() + (berth.tidal() ? levels.lowest() : 0);
                double clearance = depth - call.draughtMetres();
                if (clearance < KEEL_CLEARANCE) {
                    continue;
                }
                if (best == null || berth.lengthMetres() < best.lengthMetres()) {
                    best = berth;
                    bestClearance = clearance;
                }
            }
            return best == null ? null : proposal(call, best, bestClearance);
        } finally {
            lock.unlock();
        }
    }

    /** Enters a stay unless the berth is taken then. */
    public boolean enter(Stay stay) {
        lock.lock();
        try {
            NavigableMap<LocalDateTime, Stay> atBerth = stays.get(stay.berth());
            if (atBerth == null || isTaken(atBerth, stay.from(), stay.until())) {
                return false;
            }
            atBerth.put(stay.from(), stay);
            return true;
        } finally {
            lock.unlock();
        }
    }

    public List<Stay> staysAt(String berth) {
        lock.lock();
        try {
            NavigableMap<LocalDateTime, Stay> atBerth = stays.get(berth);
            return atBerth == null ? List.of() : new ArrayList<>(atBerth.values());
        } finally {
            lock.unlock();
        }
    }

    private boolean isFree(Berth berth, ShipCall call) {
        return !isTaken(stays.get(berth.id()), call.arrival(), call.departure());
    }

    private static boolean isTaken(NavigableMap<LocalDateTime, Stay> atBerth, LocalDateTime from, LocalDateTime until) {
        Map.Entry<LocalDateTime, Stay> before = atBerth.floorEntry(from);
        if (before != null && before.getValue().overlaps(from, until)) {
            return true;
        }
        LocalDateTime next = atBerth.higherKey(from);
        return next != null && next.isBefore(until);
    }

    private static Proposal proposal(ShipCall call, Berth berth, double clearance) {
        return new Proposal(call.ship(), berth.id(), berth.quay(), call.arrival(), call.departure(),
                Math.round(clearance * 100) / 100.0, berth.lengthMetres() - call.lengthMetres());
    }
}

package com.flinkfahrt.rides.routing;

import com.flinkfahrt.rides.proto.Profile;

import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** The streets of a small town: a grid of crossings with streets of different length and speed. */
class RoadNetwork {

    static final int SIDE = 10;
    static final int CROSSINGS = SIDE * SIDE;

    private static final int NONE = -1;

    private final int[] eastMeters = new int[CROSSINGS];
    private final int[] southMeters = new int[CROSSINGS];
    private final int[] speed = new int[CROSSINGS];

    RoadNetwork() {
        SplittableRandom random = new SplittableRandom(20_250_401);
        for (int crossing = 0; crossing < CROSSINGS; crossing++) {
            eastMeters[crossing] = crossing % SIDE == SIDE - 1 ? NONE : random.nextInt(120, 420);
            southMeters[crossing] = crossing / SIDE == SIDE - 1 ? NONE : random.nextInt(120, 420);
            speed[crossing] = 5 + random.nextInt(9);
        }
    }

    Path shortest(int from, int to, Profile profile) {
        long[] best = new long[CROSSINGS];
        int[] meters = new int[CROSSINGS];
        int[] hops = new int[CROSSINGS];
        Arrays.fill(best, Long.MAX_VALUE);
        best[from] = 0;
        PriorityQueue<long[]> open = new PriorityQueue<>((a, b) -> Long.compare(a[0], b[0]));
        open.add(new long[] {0, from});
        while (!open.isEmpty()) {
            long[] entry = open.poll();
            int here = (int) entry[1];
            if (entry[0] > best[here]) {
                continue;
            }
            if (here == to) {
                break;
            }
            relax(here, here + 1, eastMeters[here], profile, best, meters, hops, open);
            relax(here, here + SIDE, southMeters[here], profile, best, meters, hops, open);
            if (here % SIDE > 0) {
                relax(here, here - 1, eastMeters[here - 1], profile, best, meters, hops, open);
            }
            if (here >= SIDE) {
                relax(here, here - SIDE, southMeters[here - SIDE], profile, best, meters, hops, open);
            }
        }
        return new Path(meters[to], Math.toIntExact(best[to] / 1000), hops[to]);
    }

    private void relax(int here, int there, int length, Profile profile, long[] best, int[] meters, int[] hops,
                       PriorityQueue<long[]> open) {
        if (length == NONE) {
            return;
        }
        long millis = best[here] + millis(length, here, profile);
        if (millis < best[there]) {
            best[there] = millis;
            meters[there] = meters[here] + length;
            hops[there] = hops[here] + 1;
            open.add(new long[] {millis, there});
        }
    }

    private long millis(int length, int crossing, Profile profile) {
        int metersPerSecond = switch (profile) {
            case BIKE -> 5;
            case VAN -> Math.min(9, speed[crossing]);
            default -> speed[crossing];
        };
        return length * 1000L / metersPerSecond + (profile == Profile.BIKE ? 2_000 : 6_000);
    }

    record Path(int meters, int seconds, int crossings) {
    }
}

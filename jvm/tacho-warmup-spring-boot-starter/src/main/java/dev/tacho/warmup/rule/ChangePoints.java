package dev.tacho.warmup.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Change points of mean and variance by PELT (Killick, Fearnhead, Eckley: "Optimal detection of
 * changepoints with a linear computational cost", J. Am. Stat. Assoc. 107, 2012): the split of a
 * series that minimises the sum of the segments' costs and of a penalty for each change.
 */
final class ChangePoints {

    /** Fewer values have no variance worth the name. */
    private static final int SHORTEST_SEGMENT = 5;
    /**
     * More values are averaged in groups first, since without change points the cost of PELT grows
     * with the square.
     */
    private static final int MOST_VALUES = 600;
    /**
     * Groups at the beginning that are looked at once more by smaller ones: that is where a launch
     * changes fastest.
     */
    private static final int BEGINNING = 20;

    private ChangePoints() {
    }

    /** The first index of each segment but the first, in order. */
    static List<Integer> of(double[] values) {
        int group = Math.max(1, Integers.ceilDiv(values.length, MOST_VALUES));
        if (group == 1) {
            return optimalSplit(new Costs(values, values.length));
        }
        double[] means = means(values, group);
        List<Integer> coarse = optimalSplit(new Costs(means, means.length));
        coarse.replaceAll(point -> point * group);
        // Not so far that the first change is looked at twice.
        int firstChange = coarse.isEmpty() ? values.length : Math.max(0, coarse.get(0) - 2 * group);
        int beginning = Math.min(BEGINNING * group, firstChange);
        List<Integer> points = new ArrayList<>(of(Arrays.copyOf(values, beginning)));
        points.addAll(coarse);
        Costs costs = new Costs(values, values.length);
        place(costs, points, group);
        return paid(costs, points);
    }

    private static double[] means(double[] values, int group) {
        double[] means = new double[Integers.ceilDiv(values.length, group)];
        for (int i = 0; i < means.length; i++) {
            means[i] = Means.of(values, i * group, Math.min((i + 1) * group, values.length));
        }
        return means;
    }

    /**
     * Puts each change point to the place, within two groups, that splits what lies between its
     * neighbours best.
     */
    private static void place(Costs costs, List<Integer> points, int group) {
        for (int index = 0; index < points.size(); index++) {
            int before = index == 0 ? 0 : points.get(index - 1);
            int after = index + 1 < points.size() ? points.get(index + 1) : costs.length();
            int first = Math.max(Math.max(0, points.get(index) - 2 * group), before + SHORTEST_SEGMENT);
            int last = Math.min(points.get(index) + 2 * group, Math.max(0, after - SHORTEST_SEGMENT));
            double least = Double.POSITIVE_INFINITY;
            for (int at = first; at <= last; at++) {
                double cost = costs.segment(before, at) + costs.segment(at, after);
                if (cost < least) {
                    least = cost;
                    points.set(index, at);
                }
            }
        }
    }

    /**
     * Keeps the change points that are worth their penalty. The group where a change lies is like
     * neither side, so it may have got two change points.
     */
    private static List<Integer> paid(Costs costs, List<Integer> points) {
        List<Integer> kept = new ArrayList<>();
        for (int index = 0; index < points.size(); index++) {
            int at = points.get(index);
            int before = kept.isEmpty() ? 0 : kept.get(kept.size() - 1);
            int after = index + 1 < points.size() ? points.get(index + 1) : costs.length();
            if (at <= before || after <= at) {
                continue;
            }
            double split = costs.segment(before, at) + costs.segment(at, after) + costs.penalty();
            if (split < costs.segment(before, after)) {
                kept.add(at);
            }
        }
        return kept;
    }

    private static List<Integer> optimalSplit(Costs costs) {
        int count = costs.length();
        if (count < 2 * SHORTEST_SEGMENT) {
            return new ArrayList<>();
        }
        double penalty = costs.penalty();
        // Of the best split of the first i values: its cost, and where its last segment begins.
        double[] best = new double[count + 1];
        int[] begins = new int[count + 1];
        Arrays.fill(best, Double.POSITIVE_INFINITY);
        best[0] = -penalty;
        Candidates candidates = new Candidates(count);
        candidates.add(0);
        for (int end = SHORTEST_SEGMENT; end <= count; end++) {
            for (int i = 0; i < candidates.size; i++) {
                int begin = candidates.begin[i];
                double cost = best[begin] + costs.segment(begin, end) + penalty;
                if (cost < best[end]) {
                    best[end] = cost;
                    begins[end] = begin;
                }
            }
            candidates.prune(costs, best, end);
            int next = end + 1 - SHORTEST_SEGMENT;
            if (next >= SHORTEST_SEGMENT) {
                candidates.add(next);
            }
        }
        return pointsBackFrom(count, begins);
    }

    private static List<Integer> pointsBackFrom(int count, int[] begins) {
        List<Integer> points = new ArrayList<>();
        for (int end = begins[count]; end > 0; end = begins[end]) {
            points.add(0, end);
        }
        return points;
    }

    /**
     * Where the last segment may begin, and up to which end each of these places is of use. A place
     * that a better one beats stays until the segment of the better one is long enough.
     */
    private static final class Candidates {

        private final int[] begin;
        private final int[] until;
        private int size;

        private Candidates(int count) {
            begin = new int[count + 1];
            until = new int[count + 1];
        }

        private void add(int place) {
            begin[size] = place;
            until[size] = Integer.MAX_VALUE;
            size++;
        }

        /**
         * A begin that is worse by more than the penalty is worse for every later end as well
         * (theorem 3.1 there).
         */
        private void prune(Costs costs, double[] best, int end) {
            int kept = 0;
            for (int i = 0; i < size; i++) {
                if (until[i] == Integer.MAX_VALUE && best[begin[i]] + costs.segment(begin[i], end) > best[end]) {
                    until[i] = end + SHORTEST_SEGMENT - 1;
                }
                if (until[i] > end) {
                    begin[kept] = begin[i];
                    until[kept] = until[i];
                    kept++;
                }
            }
            size = kept;
        }
    }
}

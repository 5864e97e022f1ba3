package dev.tacho.warmup.rule;

import java.util.ArrayList;
import java.util.List;

/** What lies between change points. */
final class Segments {

    private Segments() {
    }

    /** Of smoothed logarithms, in order; none of an empty series. */
    static List<Segment> of(double[] logarithms) {
        List<Integer> points = new ArrayList<>(ChangePoints.of(logarithms));
        points.add(logarithms.length);
        List<Segment> segments = new ArrayList<>();
        int from = 0;
        for (int to : points) {
            if (to > from) {
                segments.add(new Segment(from, to, Math.exp(Means.of(logarithms, from, to))));
            }
            from = to;
        }
        return segments;
    }

    /** Those at the end that are all like the last. */
    static List<Segment> endOf(List<Segment> segments) {
        int first = segments.size();
        while (first > 0 && segments.get(first - 1).isLike(segments.get(segments.size() - 1))) {
            first--;
        }
        return segments.subList(first, segments.size());
    }
}

package org.rivernet.geo;

import java.util.List;

/** A closed polygon without holes. */
public final class Polygon {

    private final List<GridPoint> corners;

    public Polygon(List<GridPoint> corners) {
        if (corners.size() < 3) {
            throw new IllegalArgumentException("a polygon has three corners at least");
        }
        this.corners = List.copyOf(corners);
    }

    public List<GridPoint> corners() {
        return corners;
    }

    public boolean contains(GridPoint point) {
        boolean inside = false;
        for (int i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
            GridPoint a = corners.get(i);
            GridPoint b = corners.get(j);
            if (spans(a, b, point.north()) && point.east() < crossing(a, b, point.north())) {
                inside = !inside;
            }
        }
        return inside;
    }

    private static boolean spans(GridPoint a, GridPoint b, int north) {
        return (a.north() > north) != (b.north() > north);
    }

    /** How far east the edge from a to b meets the line at the given north. */
    private static double crossing(GridPoint a, GridPoint b, int north) {
        return (double) (b.east() - a.east()) * (north - a.north()) / (b.north() - a.north()) + a.east();
    }
}

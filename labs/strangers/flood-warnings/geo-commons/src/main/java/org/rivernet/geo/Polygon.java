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
            if ((a.north() > point.north()) != (b.north() > point.north())) {
                double crossing = (double) (b.east() - a.east()) * (point.north() - a.north())
                        / (b.north() - a.north()) + a.east();
                if (point.east() < crossing) {
                    inside = !inside;
                }
            }
        }
        return inside;
    }
}

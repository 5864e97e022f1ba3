package org.rivernet.geo;

/** A point in metres east and north of the origin of the national grid. */
public record GridPoint(int east, int north) {

    public double distanceTo(GridPoint other) {
        double dx = (double) east - other.east;
        double dy = (double) north - other.north;
        return Math.sqrt(dx * dx + dy * dy);
    }
}

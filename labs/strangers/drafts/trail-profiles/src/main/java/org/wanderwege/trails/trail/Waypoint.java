package org.wanderwege.trails.trail;

/** A point of a trail in metres from the north-western corner of the map. */
public record Waypoint(double east, double south) {

    public double distanceTo(Waypoint other) {
        return Math.hypot(other.east - east, other.south - south);
    }

    public Waypoint towards(Waypoint other, double share) {
        return new Waypoint(east + (other.east - east) * share, south + (other.south - south) * share);
    }
}

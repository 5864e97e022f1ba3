package org.wanderwege.trails.trail;

import java.util.ArrayList;
import java.util.List;

public record Trail(String id, String name, List<Waypoint> waypoints) {

    public double lengthMetres() {
        double sum = 0;
        for (int i = 1; i < waypoints.size(); i++) {
            sum += waypoints.get(i - 1).distanceTo(waypoints.get(i));
        }
        return sum;
    }

    /** Points at even distances along the trail, both ends included. */
    public List<Waypoint> sample(int count) {
        double spacing = lengthMetres() / (count - 1);
        List<Waypoint> points = new ArrayList<>(count);
        int leg = 0;
        double legStart = 0;
        double legLength = waypoints.get(0).distanceTo(waypoints.get(1));
        for (int i = 0; i < count; i++) {
            double at = i * spacing;
            while (at > legStart + legLength && leg < waypoints.size() - 2) {
                legStart += legLength;
                leg++;
                legLength = waypoints.get(leg).distanceTo(waypoints.get(leg + 1));
            }
            double share = legLength == 0 ? 0 : Math.min(1, (at - legStart) / legLength);
            points.add(waypoints.get(leg).towards(waypoints.get(leg + 1), share));
        }
        return points;
    }
}

package org.rivernet.floods.catchment;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.rivernet.geo.GridPoint;
import org.rivernet.geo.Polygon;

import jakarta.inject.Singleton;

/** The catchments of the region, laid out in a grid of fifteen kilometres. */
@Singleton
public class Catchments {

    private static final String[] RIVERS = {"Derwent", "Wye", "Dove", "Trent", "Soar", "Erewash", "Amber", "Noe"};
    private static final String[] PLACES = {"Bridge", "Weir", "Mill", "Lock", "Ford", "Sluice"};
    private static final int SIDE = 15_000;

    private final List<Catchment> all = new ArrayList<>();

    public Catchments() {
        Random random = new Random(1947);
        for (int row = 0; row < 6; row++) {
            for (int column = 0; column < 6; column++) {
                int east = 400_000 + column * SIDE;
                int north = 330_000 + row * SIDE;
                String id = "C" + (10 + row * 6 + column);
                String river = RIVERS[(row * 6 + column) % RIVERS.length];
                all.add(new Catchment(id, river, outline(east, north, random), gauges(id, river, east, north, random)));
            }
        }
    }

    private static Polygon outline(int east, int north, Random random) {
        List<GridPoint> corners = new ArrayList<>();
        int steps = 24;
        for (int i = 0; i < steps; i++) {
            double angle = 2 * Math.PI * i / steps;
            double radius = SIDE * (0.55 + 0.15 * random.nextDouble());
            corners.add(new GridPoint((int) (east + SIDE / 2.0 + radius * Math.cos(angle)),
                    (int) (north + SIDE / 2.0 + radius * Math.sin(angle))));
        }
        return new Polygon(corners);
    }

    private static List<Gauge> gauges(String id, String river, int east, int north, Random random) {
        List<Gauge> gauges = new ArrayList<>();
        for (int i = 0; i < PLACES.length; i++) {
            int alert = 900 + random.nextInt(900);
            gauges.add(new Gauge(id + "-" + i, river + " at " + PLACES[i],
                    new GridPoint(east + random.nextInt(SIDE), north + random.nextInt(SIDE)), alert,
                    alert + 350 + random.nextInt(300)));
        }
        return gauges;
    }

    public List<Catchment> draining(GridPoint point) {
        List<Catchment> found = new ArrayList<>();
        for (Catchment catchment : all) {
            if (catchment.drains(point)) {
                found.add(catchment);
            }
        }
        return found;
    }
}

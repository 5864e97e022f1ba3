package org.wanderwege.trails.trail;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.wanderwege.trails.terrain.ElevationModel;

/** All trails that are signposted. */
public final class TrailCatalogue {

    private static final String[] GOALS = {
        "Sonnalm", "Kreuzjoch", "Schwarzsee", "Rauhkopf", "Gamsblick", "Mittelegg", "Steinkar", "Wildgrat"};
    private static final String[] KINDS = {"Höhenweg", "Rundweg", "Steig", "Panoramaweg", "Talweg"};

    private final Map<String, Trail> byId = new LinkedHashMap<>();

    private TrailCatalogue() {
    }

    public static TrailCatalogue standard(ElevationModel terrain) {
        TrailCatalogue catalogue = new TrailCatalogue();
        Random random = new Random(77);
        int number = 1;
        for (String goal : GOALS) {
            for (String kind : KINDS) {
                String id = "t" + number++;
                catalogue.byId.put(id, new Trail(id, goal + " " + kind, wander(random, terrain)));
            }
        }
        return catalogue;
    }

    private static List<Waypoint> wander(Random random, ElevationModel terrain) {
        double east = terrain.widthMetres() * (0.2 + 0.6 * random.nextDouble());
        double south = terrain.heightMetres() * (0.2 + 0.6 * random.nextDouble());
        double heading = random.nextDouble() * Math.PI * 2;
        List<Waypoint> points = new ArrayList<>();
        points.add(new Waypoint(east, south));
        int legs = 40 + random.nextInt(60);
        for (int i = 0; i < legs; i++) {
            heading += (random.nextDouble() - 0.5) * 1.3;
            double step = 60 + random.nextDouble() * 120;
            east = Math.max(0, Math.min(terrain.widthMetres(), east + Math.cos(heading) * step));
            south = Math.max(0, Math.min(terrain.heightMetres(), south + Math.sin(heading) * step));
            points.add(new Waypoint(east, south));
        }
        return List.copyOf(points);
    }

    public Optional<Trail> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    public Collection<Trail> all() {
        return byId.values();
    }

    public int size() {
        return byId.size();
    }
}

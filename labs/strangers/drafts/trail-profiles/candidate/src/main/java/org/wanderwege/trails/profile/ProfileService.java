package org.wanderwege.trails.profile;

import java.util.ArrayList;
import java.util.List;
import org.wanderwege.trails.terrain.ElevationModel;
import org.wanderwege.trails.terrain.HeightSampler;
import org.wanderwege.trails.terrain.Horizon;
import org.wanderwege.trails.terrain.SlopeAspect;
import org.wanderwege.trails.trail.Trail;
import org.wanderwege.trails.trail.Waypoint;

/** Draws the profile of a trail from the terrain below it. */
public final class ProfileService {

    private static final int SKY_STOPS = 4;

    private final ElevationModel terrain;
    private final DifficultyRating rating;

    public ProfileService(ElevationModel terrain, DifficultyRating rating) {
        this.terrain = terrain;
        this.rating = rating;
    }

    public Profile draw(Trail trail, int points) {
        List<Waypoint> samples = trail.sample(points);
        List<Double> heights = heightsAlong(samples);
        double ascent = 0;
        double descent = 0;
        double highest = heights.get(0);
        double lowest = heights.get(0);
        for (int i = 1; i < heights.size(); i++) {
            double change = heights.get(i) - heights.get(i - 1);
            ascent += Math.max(0, change);
            descent += Math.max(0, -change);
            highest = Math.max(highest, heights.get(i));
            lowest = Math.min(lowest, heights.get(i));
        }
        double length = trail.lengthMetres();
        double hillside = hillsideSteepness(samples);
        return new Profile(trail.name(), length, ascent, descent, highest, lowest, hillside,
                openSky(samples), rating.rate(length, ascent, hillside), heights);
    }

    private List<Double> heightsAlong(List<Waypoint> samples) {
        HeightSampler sampler = new HeightSampler(terrain);
        List<Double> heights = new ArrayList<>(samples.size());
        for (Waypoint point : samples) {
            heights.add(sampler.heightAt(point.east(), point.south()));
        }
        return heights;
    }

    private double hillsideSteepness(List<Waypoint> samples) {
        SlopeAspect slopes = new SlopeAspect(terrain);
        double steepest = 0;
        for (Waypoint point : samples) {
            steepest = Math.max(steepest, slopes.degreesAt(point.east(), point.south()));
        }
        return steepest;
    }

    private double openSky(List<Waypoint> samples) {
        Horizon horizon = new Horizon(terrain);
        double sum = 0;
        for (int i = 0; i < SKY_STOPS; i++) {
            Waypoint stop = samples.get(i * (samples.size() - 1) / (SKY_STOPS - 1));
            sum += horizon.openSky(stop.east(), stop.south());
        }
        return sum / SKY_STOPS;
    }
}

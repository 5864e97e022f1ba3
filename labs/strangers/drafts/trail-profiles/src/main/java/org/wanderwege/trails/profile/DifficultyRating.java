package org.wanderwege.trails.profile;

/** Rates a trail after the scale of the alpine clubs. */
public final class DifficultyRating {

    public String rate(double lengthMetres, double ascent, double steepestHillside) {
        double gradient = ascent / Math.max(1, lengthMetres) * 100;
        if (steepestHillside > 42 || gradient > 22) {
            return "black";
        }
        if (steepestHillside > 28 || gradient > 12) {
            return "red";
        }
        return "blue";
    }
}

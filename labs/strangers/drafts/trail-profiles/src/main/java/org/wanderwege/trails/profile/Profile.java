package org.wanderwege.trails.profile;

import java.util.List;

public record Profile(
        String trail,
        double lengthMetres,
        double ascent,
        double descent,
        double highest,
        double lowest,
        double steepestHillside,
        double openSky,
        String difficulty,
        List<Double> heights) {
}

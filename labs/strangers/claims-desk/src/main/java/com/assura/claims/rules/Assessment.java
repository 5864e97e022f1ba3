package com.assura.claims.rules;

import com.assura.claims.claim.Claim;

import java.util.List;

public record Assessment(Claim claim, long reserveCents, List<Finding> findings) {

    public enum Route { FAST_TRACK, DESK, INVESTIGATION }

    private static final long FAST_TRACK_LIMIT = 2_000_00;

    public int score() {
        return findings.stream().mapToInt(Finding::points).sum();
    }

    public Route route() {
        int score = score();
        if (score >= 60) {
            return Route.INVESTIGATION;
        }
        return score < 20 && reserveCents <= FAST_TRACK_LIMIT ? Route.FAST_TRACK : Route.DESK;
    }
}

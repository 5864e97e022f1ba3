package com.flinkfahrt.rides.client;

import com.flinkfahrt.rides.metrics.RoutingMetrics;

/**
 * How long routing may take: a multiple of what it usually takes, so that a hanging instance is given
 * up early, but never less than routing needs after a deployment.
 */
class AdaptiveDeadline {

    private static final int FACTOR = 8;
    private static final long SHORTEST_MILLIS = 10_000;
    private static final long LONGEST_MILLIS = 30_000;

    private final RoutingMetrics metrics;

    AdaptiveDeadline(RoutingMetrics metrics) {
        this.metrics = metrics;
    }

    long millis() {
        double usual = metrics.usualMillis();
        return Math.min(LONGEST_MILLIS, Math.max(SHORTEST_MILLIS, Math.round(FACTOR * usual)));
    }
}

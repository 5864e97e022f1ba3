package com.flinkfahrt.rides.http;

import com.flinkfahrt.rides.metrics.RoutingMetrics;

public class MetricsHandler implements Resource {

    private final RoutingMetrics metrics;

    public MetricsHandler(RoutingMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public Object get(Query query) {
        return metrics.report();
    }
}

package org.rivernet.floods.catchment;

import org.rivernet.geo.GridPoint;

public record Gauge(String id, String name, GridPoint at, int alertMillimetres, int floodMillimetres) {
}

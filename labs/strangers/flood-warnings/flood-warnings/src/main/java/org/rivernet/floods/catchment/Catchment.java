package org.rivernet.floods.catchment;

import java.util.List;

import org.rivernet.geo.GridPoint;
import org.rivernet.geo.Polygon;

public record Catchment(String id, String river, Polygon outline, List<Gauge> gauges) {

    public Catchment {
        gauges = List.copyOf(gauges);
    }

    public boolean drains(GridPoint point) {
        return outline.contains(point);
    }
}

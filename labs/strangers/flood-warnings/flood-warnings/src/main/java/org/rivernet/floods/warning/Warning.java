package org.rivernet.floods.warning;

import org.rivernet.floods.catchment.Catchment;
import org.rivernet.floods.catchment.Gauge;
import org.rivernet.floods.gauge.Reading;

public record Warning(Severity severity, Catchment catchment, Gauge gauge, Reading reading, int metres) {
}

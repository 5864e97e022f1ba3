package org.rivernet.floods.warning;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import org.rivernet.floods.catchment.Catchment;
import org.rivernet.floods.catchment.Catchments;
import org.rivernet.floods.catchment.Gauge;
import org.rivernet.floods.gauge.GaugeClient;
import org.rivernet.floods.gauge.Reading;
import org.rivernet.geo.GridPoint;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import jakarta.inject.Singleton;

@Singleton
public class WarningService {

    private static final Logger LOG = LoggerFactory.getLogger(WarningService.class);

    private static final Comparator<Warning> WORST_FIRST =
            Comparator.comparing(Warning::severity).thenComparingInt(Warning::metres);

    private final Catchments catchments;
    private final GaugeClient gauges;
    private final SeverityRules rules;

    public WarningService(Catchments catchments, GaugeClient gauges, SeverityRules rules) {
        this.catchments = catchments;
        this.gauges = gauges;
        this.rules = rules;
    }

    public List<Warning> warningsAt(GridPoint point) {
        List<Warning> warnings = new ArrayList<>();
        for (Catchment catchment : catchments.draining(point)) {
            Map<String, Reading> readings = gauges.readings(catchment);
            for (Gauge gauge : catchment.gauges()) {
                Reading reading = readings.get(gauge.id());
                if (reading == null) {
                    continue;
                }
                Severity severity = rules.assess(gauge, reading);
                if (severity != Severity.NONE) {
                    warnings.add(new Warning(severity, catchment, gauge, reading,
                            (int) Math.round(point.distanceTo(gauge.at()))));
                }
            }
        }
        warnings.sort(WORST_FIRST);
        LOG.debug("{} warnings at {}", warnings.size(), point);
        return warnings;
    }
}

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

    private final Catchments catchments;
    private final GaugeClient gauges;

    public WarningService(Catchments catchments, GaugeClient gauges) {
        this.catchments = catchments;
        this.gauges = gauges;
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
                Severity severity;
                if (reading.millimetres() >= gauge.floodMillimetres()) {
                    if (reading.rising()) {
                        severity = Severity.SEVERE;
                    } else {
                        severity = Severity.WARNING;
                    }
                } else if (reading.millimetres() >= gauge.alertMillimetres()) {
                    if (reading.rising()) {
                        severity = Severity.WARNING;
                    } else {
                        severity = Severity.ALERT;
                    }
                } else {
                    severity = Severity.NONE;
                }
                if (severity != Severity.NONE) {
                    warnings.add(new Warning(severity, catchment, gauge, reading,
                            (int) Math.round(point.distanceTo(gauge.at()))));
                }
            }
        }
        warnings.sort(Comparator.comparing(Warning::severity).thenComparingInt(Warning::metres));
        LOG.debug("{} warnings at {}", warnings.size(), point);
        return warnings;
    }
}

package org.rivernet.floods.warning;

import org.rivernet.floods.catchment.Gauge;
import org.rivernet.floods.gauge.Reading;

import jakarta.inject.Singleton;

/** How bad a reading is: a river that still rises counts one step worse. */
@Singleton
public class SeverityRules {

    public Severity assess(Gauge gauge, Reading reading) {
        if (reading.millimetres() >= gauge.floodMillimetres()) {
            return reading.rising() ? Severity.SEVERE : Severity.WARNING;
        }
        if (reading.millimetres() >= gauge.alertMillimetres()) {
            return reading.rising() ? Severity.WARNING : Severity.ALERT;
        }
        return Severity.NONE;
    }
}

package org.rivernet.floods.web;

import org.rivernet.floods.warning.Warning;

import io.micronaut.core.annotation.Introspected;

@Introspected
public record WarningView(String severity, String river, String gauge, int millimetres, boolean rising, int metres) {

    static WarningView of(Warning warning) {
        return new WarningView(warning.severity().name(), warning.catchment().river(), warning.gauge().name(),
                warning.reading().millimetres(), warning.reading().rising(), warning.metres());
    }
}

package org.rivernet.floods.web;

import java.util.List;
import java.util.Map;

import org.rivernet.floods.gauge.TelemetryException;
import org.rivernet.floods.warning.WarningService;
import org.rivernet.geo.GridReferenceException;
import org.rivernet.geo.GridReferences;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Error;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;

@Controller("/warnings")
@ExecuteOn(TaskExecutors.IO)
public class WarningController {

    private static final Logger LOG = LoggerFactory.getLogger(WarningController.class);

    private final WarningService warnings;

    public WarningController(WarningService warnings) {
        this.warnings = warnings;
    }

    @Get
    public List<WarningView> warnings(@QueryValue String at) {
        return warnings.warningsAt(GridReferences.parse(at)).stream().map(WarningView::of).toList();
    }

    @Error
    HttpResponse<Map<String, String>> badReference(GridReferenceException e) {
        return HttpResponse.badRequest(Map.of("error", e.getMessage()));
    }

    @Error
    HttpResponse<Map<String, String>> noTelemetry(TelemetryException e) {
        LOG.warn("no readings", e);
        return HttpResponse.<Map<String, String>>status(HttpStatus.BAD_GATEWAY).body(Map.of("error", e.getMessage()));
    }
}

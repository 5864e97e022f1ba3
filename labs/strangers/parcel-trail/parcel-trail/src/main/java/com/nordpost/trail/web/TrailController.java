package com.nordpost.trail.web;

import com.nordpost.trail.TrailService;
import com.nordpost.trail.carrier.CarrierException;
import com.nordpost.trail.model.ParcelNumber;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Error;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Controller("/parcels")
@ExecuteOn(TaskExecutors.IO)
public class TrailController {

    private static final Logger LOG = LoggerFactory.getLogger(TrailController.class);

    private final TrailService trails;

    public TrailController(TrailService trails) {
        this.trails = trails;
    }

    @Get("/{number}/trail")
    public HttpResponse<TrailView> trail(@PathVariable String number) {
        return ParcelNumber.parse(number)
                .flatMap(trails::trailOf)
                .map(trail -> HttpResponse.ok(TrailView.of(trail)))
                .orElseGet(HttpResponse::notFound);
    }

    @Error
    HttpResponse<String> carrierFailed(CarrierException e) {
        LOG.warn("carrier failed", e);
        return HttpResponse.<String>status(HttpStatus.BAD_GATEWAY).body("{\"error\":\"carrier\"}");
    }
}

package dev.tacho.warmup.servlet;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationPredicate;
import org.springframework.http.server.observation.ServerRequestObservationContext;

/**
 * Keeps requests of the warm-up out of {@code http.server.requests} and of traces. The filter that
 * marks them comes before the one that observes.
 */
public final class TrafficOnly implements ObservationPredicate {

    @Override
    public boolean test(String name, Observation.Context context) {
        return !(context instanceof ServerRequestObservationContext request
                && ServletWarmUp.isWarmUp(request.getCarrier()));
    }
}

package dev.tacho.warmup.reactive;

import dev.tacho.warmup.mark.WarmUpMark;
import dev.tacho.warmup.mark.WarmUpMark.Judgement;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationPredicate;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;

/**
 * Keeps requests of the warm-up out of {@code http.server.requests} and of traces. Observing begins
 * before all filters here, so that the header decides.
 */
public final class TrafficOnly implements ObservationPredicate {

    private final WarmUpMark mark;

    public TrafficOnly(WarmUpMark mark) {
        this.mark = mark;
    }

    @Override
    public boolean test(String name, Observation.Context context) {
        boolean isWarmUp = context instanceof ServerRequestObservationContext request && request.getCarrier() != null
                && mark.judge(MarkHeader.values(request.getCarrier().getHeaders(), mark)) == Judgement.GENUINE;
        return !isWarmUp;
    }
}

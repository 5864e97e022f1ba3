package dev.tacho.warmup.readiness;

import org.springframework.boot.availability.ApplicationAvailabilityBean;
import org.springframework.boot.availability.AvailabilityState;
import org.springframework.boot.availability.ReadinessState;

/**
 * What health groups and everybody else ask for the state of the application: as Spring Boot's own,
 * but not ready before the warm-up lets traffic come, whoever says so. An event that contradicts
 * would come too late for a probe that asks in between.
 */
public final class HeldAvailability extends ApplicationAvailabilityBean {

    private final Readiness readiness;

    public HeldAvailability(Readiness readiness) {
        this.readiness = readiness;
    }

    @Override
    public <S extends AvailabilityState> S getState(Class<S> type) {
        return isHeld(type) ? type.cast(ReadinessState.REFUSING_TRAFFIC) : super.getState(type);
    }

    @Override
    public <S extends AvailabilityState> S getState(Class<S> type, S unknown) {
        return isHeld(type) ? type.cast(ReadinessState.REFUSING_TRAFFIC) : super.getState(type, unknown);
    }

    private boolean isHeld(Class<?> type) {
        return type == ReadinessState.class && !readiness.isAllowed();
    }
}

package dev.tacho.warmup.readiness;

import org.springframework.boot.availability.ApplicationAvailabilityBean;
import org.springframework.boot.availability.AvailabilityState;
import org.springframework.boot.availability.ReadinessState;

/**
 * The bean that health groups and others ask for the state of the application. It answers as Spring
 * Boot's own, but is not ready before the warm-up lets traffic come, whatever events say. A
 * correcting event alone would come too late for a probe that asks in between.
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

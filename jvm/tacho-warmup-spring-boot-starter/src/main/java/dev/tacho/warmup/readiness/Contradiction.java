package dev.tacho.warmup.readiness;

import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;

/**
 * Whoever listens to events is told that traffic is refused when it was said to be accepted too early: by the application itself, or by Spring Boot
 * when the service could not be warmed and is to refuse traffic.
 */
public final class Contradiction implements ApplicationListener<AvailabilityChangeEvent<ReadinessState>> {

    private final Readiness readiness;
    private final ApplicationEventPublisher publisher;

    public Contradiction(Readiness readiness, ApplicationEventPublisher publisher) {
        this.readiness = readiness;
        this.publisher = publisher;
    }

    @Override
    public void onApplicationEvent(AvailabilityChangeEvent<ReadinessState> event) {
        if (event.getState() == ReadinessState.ACCEPTING_TRAFFIC && !readiness.isAllowed()) {
            AvailabilityChangeEvent.publish(publisher, event.getSource(), ReadinessState.REFUSING_TRAFFIC);
        }
    }
}

package dev.tacho.warmup.readiness;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;

/**
 * Whoever listens to events is told that traffic is refused when it was said to be accepted too
 * early: by the application itself, or by Spring Boot when the service could not be warmed and is
 * to refuse traffic.
 */
public final class Contradiction implements SmartInitializingSingleton {

    private final Readiness readiness;
    private final ConfigurableApplicationContext context;

    public Contradiction(Readiness readiness, ConfigurableApplicationContext context) {
        this.readiness = readiness;
        this.context = context;
    }

    /**
     * Listens from here on, after those of the application (also its {@code @EventListener}
     * methods, which are added just before): what they hear last has to be what is true.
     */
    @Override
    public void afterSingletonsInstantiated() {
        context.addApplicationListener(new Contradicting());
    }

    private final class Contradicting implements ApplicationListener<AvailabilityChangeEvent<ReadinessState>>, Ordered {

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public void onApplicationEvent(AvailabilityChangeEvent<ReadinessState> event) {
            if (event.getState() == ReadinessState.ACCEPTING_TRAFFIC && !readiness.isAllowed()) {
                AvailabilityChangeEvent.publish(context, event.getSource(), ReadinessState.REFUSING_TRAFFIC);
            }
        }
    }
}

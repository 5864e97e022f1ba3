package dev.tacho.warmup.readiness;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;

/**
 * Corrects an event that says too early that traffic is accepted: listeners are then told that
 * traffic is refused. The application may publish such an event. So does Spring Boot when the
 * service could not be warmed and has to refuse traffic.
 */
public final class Contradiction implements SmartInitializingSingleton {

    private final Readiness readiness;
    private final ConfigurableApplicationContext context;

    public Contradiction(Readiness readiness, ConfigurableApplicationContext context) {
        this.readiness = readiness;
        this.context = context;
    }

    /**
     * Adds the listener after those of the application (also after its {@code @EventListener}
     * methods, which are added just before). So the correct state is the last that they hear.
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

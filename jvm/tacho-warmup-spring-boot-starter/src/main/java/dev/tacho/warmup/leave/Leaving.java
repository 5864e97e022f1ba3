package dev.tacho.warmup.leave;

import dev.tacho.warmup.readiness.Readiness;
import java.time.Duration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.Ordered;

/**
 * Before the service stops it goes on serving for a while, and each answer closes its connection.
 * A server that stops closes the connections that clients keep, also just when a request comes, and
 * a client cannot know whether that one was carried out (RFC 9112, section 9.5). One that was told
 * by the last answer asks elsewhere.
 *
 * <p>A listener and no bean with a life cycle: when those are stopped, what serves requests may be
 * among the first.
 */
public final class Leaving implements ApplicationListener<ContextClosedEvent>, Ordered {

    private static final Log LOG = LogFactory.getLog(Leaving.class);

    private final Duration time;
    private final Readiness readiness;
    private final ApplicationContext context;
    private volatile boolean isLeaving;

    public Leaving(Duration time, Readiness readiness, ApplicationContext context) {
        this.time = time;
        this.readiness = readiness;
        this.context = context;
    }

    /** Whether an answer is to be the last of its connection. */
    public boolean isLeaving() {
        return isLeaving;
    }

    /** Before all others: they take apart what serves. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        // Children, such as the server of the actuator, tell their parents. And who never took
        // traffic has nobody to take leave of.
        if (event.getApplicationContext() != context || !readiness.isAllowed() || time.isZero()) {
            return;
        }
        LOG.info("Leaving: for " + time.toMillis() + " ms each answer closes its connection");
        isLeaving = true;
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException enough) {
            // Somebody has waited for long enough. What comes next, the end itself, is to go on
            // undisturbed.
            LOG.info("Leaving was cut short");
        }
    }
}

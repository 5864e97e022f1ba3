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
 * A server that stops closes the connections that clients keep, perhaps just when a request comes.
 * Then the client cannot know whether the request was carried out (RFC 9112, section 9.5). A client
 * whose last answer closed the connection opens a new one, to another instance.
 *
 * <p>It is an event listener, not a bean with a life cycle: when such beans are stopped, the server
 * may be among the first.
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

    /** Runs before all other listeners, since they may stop parts that serve requests. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        // Events of child contexts, such as the actuator's server, come here too. A service that
        // never took traffic has no clients to warn.
        if (event.getApplicationContext() != context || !readiness.isAllowed() || time.isZero()) {
            return;
        }
        LOG.info("Leaving: for " + time.toMillis() + " ms each answer closes its connection");
        isLeaving = true;
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException enough) {
            // Somebody cut the wait short. The thread is not interrupted again: the shutdown
            // is to go on undisturbed.
            LOG.info("Leaving was cut short");
        }
    }
}

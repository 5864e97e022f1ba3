package dev.tacho.warmup.run;

import dev.tacho.warmup.readiness.Readiness;
import dev.tacho.warmup.request.RequestException;
import dev.tacho.warmup.request.RequestMix;
import dev.tacho.warmup.request.RequestSource;
import dev.tacho.warmup.request.WarmUpRequest;
import dev.tacho.warmup.rule.End;
import dev.tacho.warmup.send.LocalServer;
import dev.tacho.warmup.send.Outfit;
import dev.tacho.warmup.send.Sender;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.Ordered;

/**
 * Warms the service when its server has started and all other runners have run. Spring Boot lets
 * traffic come when the runners have returned ({@code SpringApplication.run}), on either stack.
 */
public final class WarmUpRunner implements ApplicationRunner, Ordered, ApplicationListener<ContextClosedEvent> {

    /** How long a closing application waits: requests under way leave within a second. */
    private static final int PATIENCE_S = 3;
    private static final Log LOG = LogFactory.getLog(WarmUpRunner.class);

    private final List<RequestSource> sources;
    private final Limits limits;
    private final OnFailure onFailure;
    private final Outfit outfit;
    private final Readiness readiness;
    private final WarmUpProgress progress;
    private final ApplicationContext context;
    private final CompletableFuture<End> ended = new CompletableFuture<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile Thread runs;

    public WarmUpRunner(List<RequestSource> sources, Limits limits, OnFailure onFailure, Outfit outfit,
            Readiness readiness, WarmUpProgress progress, ApplicationContext context) {
        this.sources = List.copyOf(sources);
        this.limits = limits;
        this.onFailure = onFailure;
        this.outfit = outfit;
        this.readiness = readiness;
        this.progress = progress;
        this.context = context;
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        runs = Thread.currentThread();
        try {
            warm();
        } finally {
            over.countDown();
        }
    }

    private void warm() {
        End end = warmed();
        boolean mayTrafficCome = mayTrafficCome(end);
        outfit.mark().makeVoid();
        progress.over(mayTrafficCome);
        tell(end);
        if (mayTrafficCome) {
            readiness.allow();
        } else if (end == End.FAILING && onFailure == OnFailure.STOP) {
            throw new WarmUpFailedException(progress.report());
        }
    }

    /**
     * Ends the warm-up when the application closes, also by a signal. Returns when its requests are
     * cancelled and the log says why it ended. So the server's graceful shutdown does not wait for
     * these requests.
     */
    @Override
    public void onApplicationEvent(ContextClosedEvent closed) {
        // Events of child contexts, such as that of the management server, come here as well.
        if (closed.getApplicationContext() != context) {
            return;
        }
        ended.complete(End.INTERRUPTED);
        Thread runner = runs;
        if (runner != null && runner != Thread.currentThread()) {
            awaitOver();
        }
    }

    private void awaitOver() {
        try {
            if (!over.await(PATIENCE_S, TimeUnit.SECONDS)) {
                LOG.warn("The warm-up does not end; the application does not wait for it any longer");
            }
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    private End warmed() {
        try {
            List<WarmUpRequest> requests = sources.stream().flatMap(source -> source.read().stream()).toList();
            if (requests.isEmpty()) {
                LOG.warn("Nothing is warmed: there is no request to send. Give some with tacho.warmup.requests,"
                        + " .open-api or .targets, or annotate controllers with @WarmUp");
                return progress.endWith(End.NOTHING_LEFT);
            }
            Optional<URI> server = LocalServer.of(context.getEnvironment());
            if (server.isEmpty()) {
                LOG.warn("Nothing is warmed: the application has no web server of its own that listens");
                return progress.endWith(End.NOTHING_LEFT);
            }
            return send(new RequestMix(requests), server.get());
        } catch (RequestException unsendable) {
            return broken(unsendable.getMessage());
        } catch (RuntimeException unforeseen) {
            if (!isInterrupted()) {
                LOG.error("The warm-up ended by an error", unforeseen);
            }
            return broken(unforeseen.toString());
        }
    }

    /**
     * An error that comes from closing the application is no failure of the warm-up, and never lets
     * traffic come.
     */
    private End broken(String why) {
        return isInterrupted() ? progress.endWith(End.INTERRUPTED) : progress.giveUp(why);
    }

    private boolean isInterrupted() {
        return ended.getNow(null) == End.INTERRUPTED;
    }

    private End send(RequestMix mix, URI server) {
        int kinds = mix.kinds().size();
        long atLeast = limits.rule().atLeast();
        LOG.info("Warming up with " + kinds + (kinds == 1 ? " kind" : " kinds") + " of request until response times have settled"
                + (atLeast > 0 ? ", not before " + atLeast + " answers" : "") + "; "
                + limits.rule().atMost() + " requests or " + limits.within().toSeconds() + " s at most");
        Sender sender = new Sender(server, outfit);
        return new WarmUpSession(mix, sender, limits, progress, ended).run();
    }

    private boolean mayTrafficCome(End end) {
        return switch (end) {
            case SETTLED, REQUEST_LIMIT, TIME_LIMIT, NOTHING_LEFT -> true;
            case FAILING -> onFailure == OnFailure.OPEN;
            case INTERRUPTED -> false;
        };
    }

    private void tell(End end) {
        String text = ProgressText.over(progress.report());
        if (end == End.FAILING) {
            LOG.warn(text);
        } else {
            LOG.info(text);
        }
    }
}

package dev.tacho.warmup.run;

import dev.tacho.warmup.request.RequestMix;
import dev.tacho.warmup.request.RequestMix.Next;
import dev.tacho.warmup.rule.Answer;
import dev.tacho.warmup.rule.End;
import dev.tacho.warmup.send.Sender;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Sends requests, one at a time for each connection, until the rule, the time or somebody says that
 * it is enough.
 */
final class WarmUpSession {

    /** How long requests under way may take to notice that nobody waits for them. */
    private static final Duration LEAVE = Duration.ofSeconds(1);
    private static final Log LOG = LogFactory.getLog(WarmUpSession.class);

    private final RequestMix mix;
    private final Sender sender;
    private final Limits limits;
    private final WarmUpProgress progress;
    private final CompletableFuture<End> ended;

    /** {@code ended} may be completed from outside, to end it early. */
    WarmUpSession(RequestMix mix, Sender sender, Limits limits, WarmUpProgress progress, CompletableFuture<End> ended) {
        this.mix = mix;
        this.sender = sender;
        this.limits = limits;
        this.progress = progress;
        this.ended = ended;
    }

    /** Sends until it is enough; says why it was. */
    End run() {
        progress.begin(sender.server().toString(), limits.rule(), mix.kinds());
        ExecutorService workers = Executors.newFixedThreadPool(limits.connections(), threads());
        try {
            for (int i = 0; i < limits.connections(); i++) {
                workers.execute(this::sendUntilEnded);
            }
            return progress.endWith(awaitEnd());
        } finally {
            // Interrupts who waits for an answer, which cancels the request.
            workers.shutdownNow();
            awaitLeave(workers);
        }
    }

    private void sendUntilEnded() {
        try {
            while (!ended.isDone()) {
                Next next = next();
                Answer answer = sender.send(next.request());
                progress.take(next.kind(), answer).ifPresent(ended::complete);
            }
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error unforeseen) {
            // Else all would wait for the time limit.
            ended.completeExceptionally(unforeseen);
        }
    }

    private Next next() {
        synchronized (mix) {
            return mix.next();
        }
    }

    private End awaitEnd() {
        long deadline = System.nanoTime() + limits.within().toNanos();
        while (true) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return End.TIME_LIMIT;
            }
            try {
                return ended.get(Math.min(left, limits.progress().toNanos()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException goesOn) {
                LOG.info(ProgressText.soFar(progress.report()));
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return End.INTERRUPTED;
            } catch (ExecutionException unforeseen) {
                return progress.giveUp("it cannot be sent: " + unforeseen.getCause());
            }
        }
    }

    private static void awaitLeave(ExecutorService workers) {
        try {
            if (!workers.awaitTermination(LEAVE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("A request of the warm-up does not let itself be cancelled; its answer no longer counts");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static ThreadFactory threads() {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "warm-up-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}

package dev.tacho.warmup.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacho.warmup.mark.WarmUpMark;
import dev.tacho.warmup.readiness.Readiness;
import dev.tacho.warmup.request.RequestSource;
import dev.tacho.warmup.rule.Rule;
import dev.tacho.warmup.send.Outfit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.StaticApplicationContext;

class WarmUpRunnerTest {

    private static final Limits LIMITS = new Limits(new Rule(0, 10, 1), Duration.ofSeconds(1), 1, Duration.ofSeconds(1));

    private final StaticApplicationContext context = new StaticApplicationContext();
    private final WarmUpProgress progress = new WarmUpProgress();

    private WarmUpRunner runner(RequestSource source) {
        Outfit outfit = new Outfit(new WarmUpMark("X-Warm-Up"), Duration.ofSeconds(1), Map.of());
        return new WarmUpRunner(List.of(source), LIMITS, OnFailure.OPEN, outfit, new Readiness(), progress, context);
    }

    @Test
    void requestsThatCannotBeReadLetTrafficComeWhereFailureDoes() {
        runner(() -> {
            throw new IllegalStateException("a bean is missing");
        }).run(new DefaultApplicationArguments());

        assertThat(progress.report().end()).isEqualTo("failing");
        assertThat(progress.report().ready()).isTrue();
    }

    @Test
    void whoIsClosedBeforeTheFirstRequestIsNeverReady() {
        AtomicReference<WarmUpRunner> runner = new AtomicReference<>();
        runner.set(runner(() -> {
            runner.get().onApplicationEvent(new ContextClosedEvent(context));
            throw new IllegalStateException("the application has been closed already");
        }));
        runner.get().run(new DefaultApplicationArguments());

        assertThat(progress.report().end()).isEqualTo("interrupted");
        assertThat(progress.report().ready()).isFalse();
    }
}

package dev.tacho.warmup.metrics;

import dev.tacho.warmup.run.WarmUpProgress;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;

/** What came of the warm-up, as meters. Their names begin with {@code tacho.warmup}. */
public final class WarmUpMeters implements MeterBinder {

    private static final String REQUESTS = "tacho.warmup.requests";
    private static final String REQUESTS_ARE = "Requests of the warm-up";

    private final WarmUpProgress progress;

    public WarmUpMeters(WarmUpProgress progress) {
        this.progress = progress;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder(REQUESTS, progress, warmUp -> warmUp.report().answered()).tag("outcome", "answered")
                .description(REQUESTS_ARE).register(registry);
        FunctionCounter.builder(REQUESTS, progress, warmUp -> warmUp.report().failed()).tag("outcome", "failed")
                .description(REQUESTS_ARE).register(registry);
        TimeGauge.builder("tacho.warmup.duration", progress, TimeUnit.SECONDS, warmUp -> warmUp.report().durationS())
                .description("From the first request of the warm-up to its end").register(registry);
        Gauge.builder("tacho.warmup.ready", progress, warmUp -> warmUp.report().ready() ? 1 : 0)
                .description("1 when the warm-up lets traffic come").register(registry);
    }
}

package dev.tacho.warmup.actuate;

import dev.tacho.warmup.run.WarmUpProgress;
import dev.tacho.warmup.run.WarmUpReport;
import dev.tacho.warmup.run.WarmUpReport.KindReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * Where the warm-up is, and what came of it: {@code /actuator/warmup}. Once it is over, what
 * {@code tacho warm --json} writes ({@code docs/schema/warm.json}), and the state besides. Maps, so
 * that a native image needs no reflection for it.
 */
@Endpoint(id = "warmup")
public final class WarmUpEndpoint {

    private static final int FORMAT = 1;

    private final WarmUpProgress progress;

    public WarmUpEndpoint(WarmUpProgress progress) {
        this.progress = progress;
    }

    /** For {@code GET}. */
    @ReadOperation
    public Map<String, Object> warmUp() {
        WarmUpReport report = progress.report();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("format", FORMAT);
        json.put("state", report.state().name().toLowerCase(Locale.ROOT));
        json.put("url", report.url());
        putKnown(json, "end", report.end());
        json.put("ready", report.ready());
        json.put("answered", report.answered());
        json.put("failed", report.failed());
        putKnown(json, "last_failure", report.lastFailure());
        json.put("duration_s", report.durationS());
        // It ends with its process, and the next one begins anew: unlike tacho warm --gate, which
        // outlives what it warms.
        json.put("restarts", 0);
        json.put("requests", report.requests().stream().map(WarmUpEndpoint::kind).toList());
        // tacho warm has notes on what it was told to send; here nobody looks for such.
        json.put("notes", List.of());
        return json;
    }

    private static Map<String, Object> kind(KindReport kind) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", kind.name());
        json.put("answered", kind.answered());
        json.put("failed", kind.failed());
        putKnown(json, "first_ms", kind.firstMs());
        putKnown(json, "settled_from", kind.settledFrom());
        putKnown(json, "settled_ms", kind.settledMs());
        return json;
    }

    private static void putKnown(Map<String, Object> json, String name, Object value) {
        if (value != null) {
            json.put(name, value);
        }
    }
}

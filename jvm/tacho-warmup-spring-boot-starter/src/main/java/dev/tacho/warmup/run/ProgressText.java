package dev.tacho.warmup.run;

import dev.tacho.warmup.run.WarmUpReport.KindReport;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the log says of a warm-up. */
final class ProgressText {

    private ProgressText() {
    }

    static String soFar(WarmUpReport report) {
        long settled = report.requests().stream().filter(kind -> kind.settledMs() != null).count();
        return String.format(Locale.ROOT,
                "Warm-up: %d answers, %d failures in %.1f s; %d of %d requests have settled%s",
                report.answered(), report.failed(), report.durationS(), settled, report.requests().size(),
                failure(report));
    }

    static String over(WarmUpReport report) {
        String kinds = report.requests().stream().map(ProgressText::kind).collect(Collectors.joining());
        return String.format(Locale.ROOT, "Warm-up is over (%s): %d answers, %d failures in %.1f s; %s%s%s",
                report.end(), report.answered(), report.failed(), report.durationS(),
                report.ready() ? "traffic may come" : "traffic is refused", failure(report), kinds);
    }

    private static String failure(WarmUpReport report) {
        return report.lastFailure() == null ? "" : "; last failure: " + report.lastFailure();
    }

    private static String kind(KindReport kind) {
        String first = kind.firstMs() == null ? "never answered" : milliseconds(kind.firstMs()) + " at first";
        String settled = kind.settledMs() == null
                ? "not settled" : milliseconds(kind.settledMs()) + " since request " + (kind.settledFrom() + 1);
        return System.lineSeparator() + "  " + kind.name() + ": " + first + ", " + settled;
    }

    private static String milliseconds(double ms) {
        return String.format(Locale.ROOT, ms < 10 ? "%.2f ms" : "%.0f ms", ms);
    }
}

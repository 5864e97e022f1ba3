package dev.tacho.junit;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A time that is not to be exceeded, and what launches say of it. */
record Budget(String what, Duration limit) {
    private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(ms|s|m)");

    /** What can be said. */
    enum Verdict {
        KEPT,
        MISSED,
        NOT_TOLD
    }

    static Optional<Budget> of(String what, String limit) {
        return limit.isBlank() ? Optional.empty() : Optional.of(new Budget(what, time(limit)));
    }

    /** {@code 250ms}, {@code 1.5s}, {@code 2m}. */
    static Duration time(String text) {
        Matcher matcher = TIME.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("`" + text + "` is no time; write 250ms, 1.5s or 2m");
        }
        double unit = switch (matcher.group(2)) {
            case "ms" -> 1e6;
            case "s" -> 1e9;
            default -> 60e9;
        };
        return Duration.ofNanos(Math.round(Double.parseDouble(matcher.group(1)) * unit));
    }

    Verdict judge(List<Duration> times) {
        long within = times.stream().filter(time -> time.compareTo(limit) <= 0).count();
        if (within == times.size()) {
            return Verdict.KEPT;
        }
        return within == 0 ? Verdict.MISSED : Verdict.NOT_TOLD;
    }

    String tell(List<Duration> times) {
        String all = times.stream().map(Budget::shown).collect(Collectors.joining(", "));
        String wanted = what + " within " + shown(limit);
        String launches = times.size() == 1 ? "its only launch" : "all of " + times.size() + " launches";
        return switch (judge(times)) {
            case KEPT -> wanted + ": kept by " + launches + " (" + all + ")";
            case MISSED -> wanted + ": missed by " + launches + " (" + all + ")";
            case NOT_TOLD -> wanted + ": not told, since launches fall on both sides (" + all
                    + "). Give it more room, more launches, or a quieter machine";
        };
    }

    static String shown(Duration time) {
        double ms = time.toNanos() / 1e6;
        return ms < 1000
                ? String.format(Locale.ROOT, "%.1f ms", ms)
                : String.format(Locale.ROOT, "%.2f s", ms / 1000);
    }
}

package dev.tacho.warmup.rule;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Follows a warm-up request by request: response times have settled when what was sent last is, for
 * long enough, all alike.
 *
 * <p>A JVM compiles at counts of invocations that lie an order of magnitude apart (with HotSpot's
 * defaults 200, 2,000 and 15,000: {@code Tier3InvocationThreshold}, {@code Tier3CompileThreshold},
 * {@code Tier4CompileThreshold}), so that a fixed number of quiet requests proves little after many
 * and too much after few. "Long enough" is therefore a share of all that was sent. What falls
 * slowly has no change point: the quiet end must also show that its second half is, with 95 %
 * confidence, at most 10 % below its first (a test of equivalence, Schuirmann 1987).
 */
public final class Settling {

    /** Fewer requests never settle anything. */
    private static final int FEWEST_REQUESTS = 200;
    /** The quiet end has to be at least so large a share of all requests. */
    private static final double QUIET_SHARE = 0.5;
    /**
     * The second half of the quiet end is not lower by more than this factor's logarithm:
     * -ln(0.9)...
     */
    private static final double FALL = 0.105_360_515_657_826_3;
    /** ...at this many standard errors: 95 %, one-sided. */
    private static final double CONFIDENCE = 1.644_853_626_951_472_7;
    /** The next look is taken when there are this many times as many requests. */
    private static final double NEXT_LOOK = 1.1;

    private double[] responseMs = new double[FEWEST_REQUESTS];
    private int sent;
    private int nextLook = FEWEST_REQUESTS;
    private Settled settled;

    /**
     * Takes the next response time in milliseconds; says when they have settled, and goes on saying
     * so.
     */
    public Optional<Settled> push(double milliseconds) {
        keep(milliseconds);
        return look();
    }

    /**
     * Takes the next response time without a look: for as long as more of them are waited for
     * anyway. What is flat until then proves nothing about what follows.
     */
    public void keep(double milliseconds) {
        if (settled == null) {
            remember(milliseconds);
        }
    }

    /** Looks at what it was given, if that is enough for another look; says the same as push. */
    public Optional<Settled> look() {
        if (settled == null && sent >= nextLook) {
            nextLook = (int) Math.ceil(sent * NEXT_LOOK);
            settled = settled(Arrays.copyOf(responseMs, sent));
        }
        return Optional.ofNullable(settled);
    }

    /** Where they have settled, once they have. */
    public Optional<Settled> settled() {
        return Optional.ofNullable(settled);
    }

    private void remember(double milliseconds) {
        if (sent == responseMs.length) {
            responseMs = Arrays.copyOf(responseMs, 2 * sent);
        }
        responseMs[sent++] = milliseconds;
    }

    private static Settled settled(double[] responseMs) {
        double[] logarithms = Outliers.smoothedLogarithms(responseMs);
        List<Segment> end = Segments.endOf(Segments.of(logarithms));
        int from = end.get(0).from();
        boolean isLongEnough = logarithms.length - from >= QUIET_SHARE * logarithms.length;
        if (!isLongEnough || !fallsNoMore(logarithms, from)) {
            return null;
        }
        return new Settled(responseMs.length, from, end.get(end.size() - 1).typical());
    }

    private static boolean fallsNoMore(double[] logarithms, int from) {
        int middle = from + (logarithms.length - from) / 2;
        double first = Means.of(logarithms, from, middle);
        double second = Means.of(logarithms, middle, logarithms.length);
        double error = Math.sqrt(squaredError(logarithms, from, middle, first)
                + squaredError(logarithms, middle, logarithms.length, second));
        return first - second + CONFIDENCE * error <= FALL;
    }

    private static double squaredError(double[] values, int from, int to, double mean) {
        double count = to - from;
        return Means.squares(values, from, to, mean) / (count - 1.0) / count;
    }
}

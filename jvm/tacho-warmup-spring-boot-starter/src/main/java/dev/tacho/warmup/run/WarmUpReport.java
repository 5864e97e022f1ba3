package dev.tacho.warmup.run;

import java.util.List;

/**
 * What came of a warm-up so far.
 *
 * @param state where it is
 * @param url the server that is warmed; empty before
 * @param end why it ended, in the words of {@code tacho warm}; null before
 * @param ready whether traffic may come
 * @param answered good answers
 * @param failed all others
 * @param lastFailure why the last of them failed; null when none did
 * @param durationS from the first request to the end, or to now, in seconds
 * @param requests each kind of request
 */
public record WarmUpReport(State state, String url, String end, boolean ready, long answered, long failed,
        String lastFailure,
        double durationS, List<KindReport> requests) {

    /** Where a warm-up is. */
    public enum State {
        /** The application is starting. */
        WAITING,
        /** Requests are being sent. */
        WARMING,
        /** It is over. */
        OVER
    }

    /**
     * One kind of request.
     *
     * @param name its name
     * @param answered good answers
     * @param failed all others
     * @param firstMs median time of the first five good answers, in milliseconds; null without any
     * @param settledFrom good answers after which times were alike; null while they have not
     *                    settled
     * @param settledMs typical time since then, in milliseconds
     */
    public record KindReport(String name, long answered, long failed, Double firstMs, Integer settledFrom,
            Double settledMs) {
    }
}

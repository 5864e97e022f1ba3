package dev.tacho.warmup.rule;

/** Why a warm-up ended. The words are those of {@code tacho warm}. */
public enum End {

    /** The response times of every kind of request have settled. */
    SETTLED("settled"),
    /** As many requests as were allowed. */
    REQUEST_LIMIT("request-limit"),
    /** As much time as was allowed. */
    TIME_LIMIT("time-limit"),
    /** Too many failures one after another, or requests that cannot be sent at all. */
    FAILING("failing"),
    /** There was nothing to send. */
    NOTHING_LEFT("nothing-left"),
    /** The application was stopped. */
    INTERRUPTED("interrupted");

    private final String word;

    End(String word) {
        this.word = word;
    }

    /** As documents, logs and JSON have it. */
    public String word() {
        return word;
    }
}

package dev.tacho.warmup.rule;

/** What became of a request. */
public sealed interface Answer {

    /**
     * It was answered well.
     *
     * @param milliseconds after how long
     */
    record Good(double milliseconds) implements Answer {
    }

    /**
     * It was not.
     *
     * @param why for people
     */
    record Bad(String why) implements Answer {
    }
}

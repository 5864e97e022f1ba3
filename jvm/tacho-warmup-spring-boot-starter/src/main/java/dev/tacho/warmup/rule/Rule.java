package dev.tacho.warmup.rule;

/**
 * Within which limits a warm-up ends.
 *
 * @param atLeast answers that are waited for though response times have settled before
 * @param atMost requests after which it is enough in any case
 * @param failuresInARow so many failures one after another are no warm-up
 */
public record Rule(long atLeast, long atMost, long failuresInARow) {
}

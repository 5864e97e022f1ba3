package dev.tacho.warmup.rule;

/**
 * Response times have settled.
 *
 * @param knownAfter the request after which this was known
 * @param from the request from which they were alike
 * @param typicalMs their typical response time then, in milliseconds
 */
public record Settled(int knownAfter, int from, double typicalMs) {
}

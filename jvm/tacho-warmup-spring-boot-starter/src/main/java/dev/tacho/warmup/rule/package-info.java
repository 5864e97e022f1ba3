/**
 * When a warm-up ends: the rule of {@code docs/decisions/0009-warm-up.md}, as the Rust crates
 * {@code tacho-analysis} ({@code steady_state}) and {@code tacho-warm-up} have it. Pure functions
 * of response times: no clock, no socket, no Spring. Both are held to the same series ({@code
 * crates/understand/statistics/vectors/settling.jsonl}).
 *
 * <pre>
 * response times -> Outliers      logarithms without what is far from its neighbours
 *                -> ChangePoints  where they change (PELT, over Costs)
 *                -> Segments      what lies between, and which equal the last
 *                -> Settling      go on, or settled
 * of all kinds of request -> Warming   go on, or why it is enough
 * </pre>
 */
package dev.tacho.warmup.rule;

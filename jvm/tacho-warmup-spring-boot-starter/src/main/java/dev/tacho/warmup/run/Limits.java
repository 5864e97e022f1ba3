package dev.tacho.warmup.run;

import dev.tacho.warmup.rule.Rule;
import java.time.Duration;

/**
 * When a warm-up is enough, and how it sends.
 *
 * @param rule when the answers end it
 * @param within when time does
 * @param connections requests at a time
 * @param progress time between lines in the log
 */
public record Limits(Rule rule, Duration within, int connections, Duration progress) {
}

//! Stops of all threads that were no collections, and long ways to a safepoint.

use crate::{Conclusion, Name, figure};
use tacho_figures as figures;
use tacho_gc_log::GcSummary;

/// A stop so long is felt, in milliseconds.
const FELT_MS: f64 = 100.0;
/// A stop so long is noticed when there are many, in milliseconds.
const NOTICED_MS: f64 = 20.0;
/// Stops of this share of the time are felt, however short they are.
const FELT_SHARE: f64 = 0.01;

/// Looks at them.
pub fn look(summary: &GcSummary, found: &mut Vec<Conclusion>) {
    let Some(safepoints) = &summary.safepoints else {
        return;
    };
    let duration_s = summary.time.as_ref().map_or(0.0, |time| time.duration_s);
    let is_felt = |longest_ms: f64, total_s: f64| {
        longest_ms >= FELT_MS || total_s > FELT_SHARE * duration_s && duration_s > 0.0
    };
    let others = &safepoints.others;
    // More than the collector's own, even where each is short.
    let is_most = others.total_s > summary.pauses.total_s && others.max_ms >= NOTICED_MS;
    if is_felt(others.max_ms, others.total_s) || is_most {
        let what = match &others.longest {
            Some(name) => format!(" ({name})"),
            None => String::new(),
        };
        let at = others
            .longest_at_s
            .map(|at| format!(", {} after the log's begin", figures::seconds(at)))
            .unwrap_or_default();
        found.push(Conclusion {
            name: Name::OtherStops,
            summary: format!(
                "All threads stood still {} for something that was no collection, {} in all; the longest was {}{what}{at}.",
                figures::times(others.count as f64),
                figures::seconds(others.total_s),
                figures::ms(others.max_ms)
            ),
            advice: Some(match others.longest {
                Some(_) => "heap dumps, thread dumps, and until JDK 17 biased locking (-XX:-UseBiasedLocking) do it".to_owned(),
                None => "log what each stop is for: -Xlog:safepoint*, before JDK 9 -XX:+PrintSafepointStatistics -XX:PrintSafepointStatisticsCount=1".to_owned(),
            }),
            figures: vec![
                figure("stops", others.count as f64),
                figure("stops_s", others.total_s),
                figure("longest_ms", others.max_ms),
            ],
        });
    }
    if is_felt(safepoints.max_reaching_ms, safepoints.reaching_s) {
        found.push(Conclusion {
            name: Name::SlowToSafepoint,
            summary: format!(
                "Threads were up to {} in reaching a safepoint, {} in all: meanwhile those that had reached it stood still.",
                figures::ms(safepoints.max_reaching_ms),
                figures::seconds(safepoints.reaching_s)
            ),
            advice: Some("-XX:+SafepointTimeout -XX:SafepointTimeoutDelay=100 names the thread: long counted loops, large copies, mapped files, or too few processors".to_owned()),
            figures: vec![
                figure("longest_ms", safepoints.max_reaching_ms),
                figure("reaching_s", safepoints.reaching_s),
            ],
        });
    }
}

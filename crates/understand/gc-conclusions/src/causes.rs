//! Why the collector ran, where the cause is not a want of memory: each means something else.

use crate::{Conclusion, Name, figure};
use tacho_figures as figures;
use tacho_gc_log::{Cause, CauseTotal, GcSummary};

/// What collections of one group of causes add up to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Total {
    pub count: u64,
    pub full: u64,
    pub total_s: f64,
    pub max_ms: f64,
}

/// Over pauses and cycles.
pub fn total(summary: &GcSummary, is: impl Fn(Cause) -> bool) -> Total {
    let mut sum = Total::default();
    let pauses = summary.pauses.by_cause.iter().map(|row| (row, true));
    let cycles = summary.cycles.iter().map(|row| (row, false));
    for (row, is_pause) in pauses.chain(cycles) {
        let Some(cause) = &row.cause else { continue };
        if !is(Cause::of(cause)) {
            continue;
        }
        sum.count += row.count;
        if is_pause {
            sum.full += if is_full(summary, row) { row.count } else { 0 };
            sum.total_s += row.total_s;
            sum.max_ms = sum.max_ms.max(row.max_ms);
        }
    }
    sum
}

/// Whether a row is of full collections that are no matter of course, as they are in a native
/// image.
pub fn is_full(summary: &GcSummary, row: &CauseTotal) -> bool {
    let mut kinds = summary.pauses.by_kind.iter();
    row.kind.starts_with("Full") && kinds.any(|kind| kind.kind == row.kind && kind.is_last_resort)
}

/// `1.20 s in all, 230 ms at most`; of one `1.20 s`.
pub fn taking(count: u64, total_s: f64, max_ms: f64) -> String {
    match count {
        1 => figures::seconds(total_s),
        _ => format!(
            "{} in all, {} at most",
            figures::seconds(total_s),
            figures::ms(max_ms)
        ),
    }
}

/// At least this many collections are needed to give their average interval.
const FEWEST_OF_INTERVALS: u64 = 3;
/// Shorter intervals are not given in whole seconds.
const SHORT_S: f64 = 10.0;

/// `, every 30 min on average`, of what somebody does again and again.
fn how_often(summary: &GcSummary, cause: Cause, count: u64) -> String {
    let is_done = matches!(
        cause,
        Cause::AskedFor | Cause::HeapDump | Cause::HeapInspection | Cause::Tool
    );
    match &summary.time {
        Some(time) if is_done && count >= FEWEST_OF_INTERVALS && time.duration_s > 0.0 => {
            format!(
                ", every {} on average",
                interval(time.duration_s / count as f64)
            )
        }
        _ => String::new(),
    }
}

/// `30 min`; `250 ms`, where whole seconds would be too coarse.
fn interval(seconds: f64) -> String {
    match seconds {
        s if s < SHORT_S => figures::seconds(s),
        s => figures::waiting(s),
    }
}

struct Rule {
    cause: Cause,
    name: Name,
    /// What it means, behind `3 collections, 2 of them full, 1.2 s in all: `.
    meaning: &'static str,
    advice: Option<&'static str>,
}

const RULES: [Rule; 9] = [
    Rule {
        cause: Cause::AskedFor,
        name: Name::AskedFor,
        meaning: "asked for by the program itself (System.gc())",
        advice: Some(
            "find who calls it (`tacho trace PID java.lang.System.gc`); RMI asks once an hour (-Dsun.rmi.dgc.server.gcInterval). -XX:+DisableExplicitGC ignores the calls; where direct buffers rely on them, -XX:+ExplicitGCInvokesConcurrent makes them short with G1 and CMS",
        ),
    },
    Rule {
        cause: Cause::HeapDump,
        name: Name::HeapDump,
        meaning: "somebody took a heap dump, and the program stands still until it is written; the collections of the load are others",
        advice: Some("take dumps of one instance that gets no traffic"),
    },
    Rule {
        cause: Cause::HeapInspection,
        name: Name::HeapInspection,
        meaning: "somebody counted what is alive (a class histogram: jmap -histo:live, jcmd GC.class_histogram); the collections of the load are others",
        advice: Some(
            "a tool that does it at intervals should stop, or count garbage as well (jcmd GC.class_histogram -all)",
        ),
    },
    Rule {
        cause: Cause::Tool,
        name: Name::AskedByTool,
        meaning: "asked for by a tool (jcmd GC.run, an agent, a debugger)",
        advice: None,
    },
    Rule {
        cause: Cause::LastDitch,
        name: Name::LastDitch,
        meaning: "classes had no room left, and this was the last try before an OutOfMemoryError",
        advice: Some(
            "raise -XX:MaxMetaspaceSize (before JDK 8 -XX:MaxPermSize), or find the class loaders that are kept",
        ),
    },
    Rule {
        cause: Cause::CodeCache,
        name: Name::CodeCache,
        meaning: "compiled code outgrew a threshold, and code that is no longer used was looked for",
        advice: Some("more room spares them: -XX:ReservedCodeCacheSize"),
    },
    Rule {
        cause: Cause::Periodic,
        name: Name::Periodic,
        meaning: "asked for by -XX:G1PeriodicGCInterval, to give memory back while little happens",
        advice: None,
    },
    Rule {
        cause: Cause::GcLocker,
        name: Name::GcLocker,
        meaning: "native code held objects while a collection was due (JNI critical sections), and it had to wait",
        advice: Some(
            "look for code that compresses, encrypts or draws large arrays; JDK 22 and later pin regions with G1 and need not wait (JEP 423)",
        ),
    },
    Rule {
        cause: Cause::Humongous,
        name: Name::Humongous,
        meaning: "begun for an object larger than half a region",
        advice: Some("larger regions (-XX:G1HeapRegionSize) or smaller arrays spare them"),
    },
];

/// Looks at each cause.
pub fn look(summary: &GcSummary, found: &mut Vec<Conclusion>) {
    for rule in &RULES {
        let total = total(summary, |cause| cause == rule.cause);
        if total.count > 0 {
            found.push(conclusion(summary, rule, &total));
        }
    }
    metadata(summary, found);
}

fn conclusion(summary: &GcSummary, rule: &Rule, total: &Total) -> Conclusion {
    let often = how_often(summary, rule.cause, total.count);
    Conclusion {
        name: rule.name,
        summary: format!("{}{often}: {}.", in_words(total), rule.meaning),
        advice: rule.advice.map(str::to_owned),
        figures: vec![
            figure("collections", total.count as f64),
            figure("full_collections", total.full as f64),
            figure("pauses_s", total.total_s),
        ],
    }
}

/// `3 collections, 2 of them full, 1.20 s in all`.
fn in_words(total: &Total) -> String {
    let mut text = figures::counted(total.count, "1 collection", "collections");
    if total.full == total.count {
        text = figures::counted(total.count, "1 full collection", "full collections");
    } else if total.full > 0 {
        text += &format!(", {} of them full", figures::count(total.full));
    }
    if total.total_s > 0.0 {
        text += &format!(", {}", taking(total.count, total.total_s, total.max_ms));
    }
    text
}

fn metadata(summary: &GcSummary, found: &mut Vec<Conclusion>) {
    let total = total(summary, |cause| cause == Cause::MetadataThreshold);
    if total.count == 0 {
        return;
    }
    let used = summary
        .metaspace_bytes
        .filter(|bytes| *bytes > 0)
        .map(|bytes| format!(" ({} are in use at last)", figures::bytes(bytes as f64)))
        .unwrap_or_default();
    found.push(Conclusion {
        name: Name::MetadataThreshold,
        summary: format!(
            "{}: classes outgrew the metaspace's threshold (Metadata GC Threshold), not the heap.",
            in_words(&total)
        ),
        advice: Some(format!(
            "-XX:MetaspaceSize above what is in use when the service is warm{used} spares them; where they go on, classes are loaded without end"
        )),
        figures: vec![
            figure("collections", total.count as f64),
            figure("full_collections", total.full as f64),
            figure("pauses_s", total.total_s),
        ],
    });
}

#[cfg(test)]
mod tests {
    use super::interval;

    #[test]
    fn what_is_asked_for_again_and_again_is_not_asked_for_every_0_seconds() {
        let told = [0.25, 4.13, 75.0, 1_800.0].map(interval);
        assert_eq!(told, ["250 ms", "4.13 s", "75 s", "30 min"]);
    }
}

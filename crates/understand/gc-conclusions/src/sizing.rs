//! The heap that would have held the pauses under an objective, and what it is computed from.
//!
//! More heap shortens no pause: a full collection takes as long as what is alive, a young one as
//! long as what survives. What more heap does is to give a concurrent collector the time to be done
//! before the heap is full, so that pauses of last resort (full, degenerated, stalls, failures) do
//! not happen. The room that it needs then is
//!
//! ```text
//! (alive + young + 2 x filled while a cycle runs) / (1 - reserve)
//! ```
//! Twice, because cycles and rates vary around their means, which is what a log gives. `filled` is
//! what is promoted for G1 and CMS, and what is allocated for ZGC and Shenandoah. The reserve is
//! 10 % (`-XX:G1ReservePercent`), and 20 % for CMS, which does not move objects together.

use crate::figure;
use crate::live::Live;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tacho_figures as figures;
use tacho_gc_log::{Course, GcSummary};
use tacho_run_folder::{Collection, CollectionKind, Collector, MemoryFigure};

/// Cycles and rates vary around their means.
const SAFETY: f64 = 2.0;
const RESERVE: f64 = 0.1;
const RESERVE_OF_CMS: f64 = 0.2;

/// The heap that a pause objective would need.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sizing {
    /// The objective: the longest pause that is acceptable, in milliseconds.
    pub objective_ms: f64,
    /// Number of young collections whose pause was longer than the objective.
    pub young: u64,
    /// Number of full and degenerated collections, and others of the old generation, whose pause
    /// was longer than the objective.
    pub old: u64,
    /// Size of the heap in bytes that would have avoided collections of last resort; null where no
    /// size does, or where it cannot be told.
    pub heap_bytes: Option<f64>,
    /// What was found, in a sentence or two.
    pub summary: String,
    /// What it is computed from; units stand in the names.
    pub figures: Vec<MemoryFigure>,
}

/// Looks at the pauses of a log; `None` where it has no collections with pauses.
#[must_use]
pub fn size(summary: &GcSummary, course: &Course, objective_ms: f64) -> Option<Sizing> {
    let collections = &course.log.collections;
    let over = |is: &dyn Fn(&Collection) -> bool| {
        let long = collections.iter().filter(|c| is(c));
        long.filter(|c| c.pause_s * 1e3 > objective_ms).count() as u64
    };
    if !collections.iter().any(|c| c.pause_s > 0.0) {
        return None;
    }
    let young = over(&|c| c.kind == CollectionKind::Young);
    let old = over(&|c| c.kind != CollectionKind::Young);
    let is_short = summary.forced_full > 0
        || summary.stalls.count > 0
        || summary.failures.iter().any(|failure| failure.count > 0);
    let goal = figures::ms(objective_ms);
    let mut sizing = Sizing {
        objective_ms,
        young,
        old,
        heap_bytes: None,
        summary: String::new(),
        figures: Vec::new(),
    };
    if young + old == 0 && summary.stalls.max_ms <= objective_ms {
        sizing.summary = format!("No pause was longer than {goal}.");
        return Some(sizing);
    }
    let mut parts = Vec::new();
    if young > 0 {
        parts.push(format!(
            "{} longer than {goal}: they take as long as what survives, and more heap does not shorten them; a smaller young generation does (G1: -XX:MaxGCPauseMillis)",
            figures::counted(young, "1 young collection was", "young collections were")
        ));
    }
    if old > 0 || is_short {
        parts.push(room(summary, course, &mut sizing, old, &goal));
    }
    sizing.summary = parts.join(". ") + ".";
    Some(sizing)
}

/// Of collections of old garbage that were too long, and of what failed for want of room.
fn room(summary: &GcSummary, course: &Course, sizing: &mut Sizing, old: u64, goal: &str) -> String {
    let long = figures::counted(
        old,
        "1 collection of the old generation was",
        "collections of the old generation were",
    );
    let collector = summary.settings.collector;
    if matches!(collector, Some(Collector::Serial | Collector::Parallel)) {
        return format!(
            "{long} longer than {goal}: with {} they take as long as what is alive, whatever the heap; a collector that works beside the program does not",
            collector.map_or("this collector", Collector::name)
        );
    }
    let Some(live) = Live::of(summary) else {
        return format!(
            "{long} longer than {goal}; the log does not say what is alive, and so not how much room was needed"
        );
    };
    let Some(needed) = needed(summary, course, live, sizing) else {
        return format!(
            "{long} longer than {goal}; the log does not say how fast the heap fills or how long a cycle takes, and so not how much room was needed"
        );
    };
    sizing.heap_bytes = Some(needed);
    let verdict = if needed <= live.room {
        format!(
            "that is no more than the {} that it had: marking began too late, or something else was short",
            figures::bytes(live.room)
        )
    } else {
        format!("it had {}", figures::bytes(live.room))
    };
    format!(
        "{long} longer than {goal}. About {} of heap would have given the collector time to be done: {verdict}",
        figures::bytes(needed)
    )
}

fn needed(summary: &GcSummary, course: &Course, live: Live, sizing: &mut Sizing) -> Option<f64> {
    let cycles: u64 = summary.cycles.iter().map(|row| row.count).sum();
    let cycle_s = summary.concurrent_s.filter(|_| cycles > 0)? / cycles as f64;
    let collector = summary.settings.collector?;
    let rate = match collector {
        Collector::Zgc | Collector::Shenandoah => summary.allocation.as_ref()?.bytes_per_s?,
        _ => summary.promotion.as_ref()?.bytes_per_s?,
    };
    let freed = course.log.collections.iter();
    let freed = freed.filter(|c| c.kind == CollectionKind::Young);
    let young = freed
        .map(|c| c.before_bytes - c.after_bytes)
        .fold(0.0, f64::max);
    let reserve = match collector {
        Collector::Cms => RESERVE_OF_CMS,
        _ => RESERVE,
    };
    sizing.figures = vec![
        figure("live_bytes", live.bytes),
        figure("young_bytes", young),
        figure("filled_bytes_per_s", rate),
        figure("cycle_s", cycle_s),
        figure("reserve", reserve),
    ];
    Some((live.bytes + young + SAFETY * rate * cycle_s) / (1.0 - reserve))
}

#[cfg(test)]
mod tests {
    use super::size;
    use tacho_gc_log::{Axis, Collections, Log};

    fn sized(log: &str, objective_ms: f64) -> super::Sizing {
        let mut reader = Log::default();
        let mut collections = Collections::on(Axis::Log);
        let mut take = |event: &tacho_gc_log::Event<'_>| {
            collections.take(event);
        };
        reader.read(log.as_bytes(), &mut take).unwrap();
        let lines = reader.end(&mut take);
        let (summary, course) = collections.finish(Vec::new(), lines);
        size(&summary, &course, objective_ms).unwrap()
    }

    #[test]
    fn of_a_collector_that_stops_the_program_no_heap_helps() {
        let sizing = sized(
            "[0.1s][info][gc] Using Parallel\n[9.0s][info][gc] GC(0) Pause Full (Ergonomics) 900M->800M(1000M) 1200.000ms\n",
            200.0,
        );
        assert_eq!((sizing.old, sizing.heap_bytes), (1, None));
        assert!(
            sizing.summary.contains("whatever the heap"),
            "{}",
            sizing.summary
        );
    }

    #[test]
    fn what_is_short_enough_needs_nothing() {
        let sizing = sized(
            "[9.0s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 900M->800M(1000M) 12.000ms\n",
            200.0,
        );
        assert_eq!(sizing.summary, "No pause was longer than 200 ms.");
    }
}

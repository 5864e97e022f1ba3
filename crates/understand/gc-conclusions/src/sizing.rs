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
use crate::full::is_short_of_memory;
use crate::live::Live;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tacho_figures as figures;
use tacho_gc_log::{Course, GcSummary, PauseKind, SinglePause};
use tacho_run_folder::{CollectionKind, Collector, MemoryFigure};

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
    if !collections.iter().any(|c| c.pause_s > 0.0) {
        return None;
    }
    let long = Long::than(objective_ms, &course.pauses);
    let goal = figures::ms(objective_ms);
    let mut sizing = Sizing {
        objective_ms,
        young: long.young,
        old: long.last_resort + long.for_other_causes + long.steps,
        heap_bytes: None,
        summary: String::new(),
        figures: Vec::new(),
    };
    let mut parts = Vec::new();
    if long != Long::default() || summary.stalls.max_ms > objective_ms {
        parts.extend(long.in_words(&goal));
        parts.extend(room(summary, course, &mut sizing, long.last_resort));
    }
    if parts.is_empty() {
        parts.push(format!("No pause was longer than {goal}"));
    }
    sizing.summary = parts.join(". ") + ".";
    Some(sizing)
}

/// Number of pauses that were longer than an objective.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Long {
    /// Young collections, those that take a part of the old generation along (G1) among them.
    young: u64,
    /// Steps of concurrent cycles.
    steps: u64,
    /// Full collections that were not for want of room: somebody asked for them, or the metaspace.
    for_other_causes: u64,
    /// Other full collections, and degenerated ones.
    last_resort: u64,
}

impl Long {
    fn than(objective_ms: f64, pauses: &[SinglePause]) -> Self {
        let mut long = Self::default();
        let is_long = |pause: &&SinglePause| pause.duration_s * 1e3 > objective_ms;
        for pause in pauses.iter().filter(is_long) {
            *long.of(pause) += 1;
        }
        long
    }

    fn of(&mut self, pause: &SinglePause) -> &mut u64 {
        match pause.kind {
            PauseKind::Young | PauseKind::Mixed => &mut self.young,
            PauseKind::Step => &mut self.steps,
            PauseKind::Full | PauseKind::RoutineFull if !pause.cause.is_for_memory() => {
                &mut self.for_other_causes
            }
            PauseKind::Full | PauseKind::RoutineFull | PauseKind::Degenerated => {
                &mut self.last_resort
            }
        }
    }

    /// Those that more heap does not shorten, each kind in a sentence without its full stop.
    fn in_words(self, goal: &str) -> impl Iterator<Item = String> {
        let sentence = |count: u64, one: &str, many: &str, why: &str| {
            let counted = figures::counted(count, one, many);
            (count > 0).then(|| format!("{counted} longer than {goal}: {why}"))
        };
        let young = sentence(
            self.young,
            "1 young collection was",
            "young collections were",
            "they take as long as what survives, and more heap does not shorten them; a smaller young generation does (G1: -XX:MaxGCPauseMillis)",
        );
        let steps = sentence(
            self.steps,
            "1 step of a concurrent cycle was",
            "steps of concurrent cycles were",
            "more heap does not shorten them",
        );
        let for_other_causes = sentence(
            self.for_other_causes,
            "1 full collection that was not for want of room was",
            "full collections that were not for want of room were",
            "no heap spares what the program, a tool, a heap dump or the metaspace asks for",
        );
        [young, steps, for_other_causes].into_iter().flatten()
    }
}

/// Of collections of last resort that were too long, and of what else was short of room. `None`
/// when there is nothing to say of either.
fn room(summary: &GcSummary, course: &Course, sizing: &mut Sizing, long: u64) -> Option<String> {
    let goal = figures::ms(sizing.objective_ms);
    let collector = summary.settings.collector;
    let stops = matches!(collector, Some(Collector::Serial | Collector::Parallel));
    let what = match long {
        0 if stops || !is_short_of_memory(summary) => return None,
        0 => format!("The heap was short of room, but no collection for it was longer than {goal}"),
        n => format!(
            "{} longer than {goal}",
            figures::counted(
                n,
                "1 collection of the old generation was",
                "collections of the old generation were",
            )
        ),
    };
    if stops {
        return Some(format!(
            "{what}: with {} they take as long as what is alive, whatever the heap; a collector that works beside the program does not",
            collector.map_or("this collector", Collector::name)
        ));
    }
    let Some(live) = Live::of(summary) else {
        return Some(format!(
            "{what}; the log does not say what is alive, and so not how much room was needed"
        ));
    };
    let Some(needed) = needed(summary, course, live, sizing) else {
        return Some(format!(
            "{what}; the log does not say how fast the heap fills or how long a cycle takes, and so not how much room was needed"
        ));
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
    Some(format!(
        "{what}. About {} of heap would have given the collector time to be done: {verdict}",
        figures::bytes(needed)
    ))
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

    #[test]
    fn each_pause_has_to_meet_the_objective_and_not_their_sum() {
        let cycle = "[1.0s][info][gc] Using G1\n\
                     [1.1s][info][gc] GC(0) Pause Remark 20M->20M(64M) 150.000ms\n\
                     [1.2s][info][gc] GC(0) Pause Cleanup 20M->20M(64M) 120.000ms\n\
                     [2.0s][info][gc] GC(1) Pause Young (Mixed) (G1 Evacuation Pause) 30M->15M(64M) 90.000ms\n";
        assert_eq!(
            sized(cycle, 200.0).summary,
            "No pause was longer than 200 ms."
        );
        let sizing = sized(cycle, 100.0);
        assert_eq!((sizing.young, sizing.old, sizing.heap_bytes), (0, 2, None));
        assert_eq!(
            sizing.summary,
            "2 steps of concurrent cycles were longer than 100 ms: more heap does not shorten them."
        );
    }

    #[test]
    fn no_heap_is_advised_for_what_is_no_want_of_room() {
        let sizing = sized(
            "[1.0s][info][gc] Using G1\n\
             [1.1s][info][gc] GC(0) Pause Full (System.gc()) 50M->30M(64M) 900.000ms\n\
             [2.1s][info][gc] GC(1) Pause Full (Diagnostic Command) 50M->30M(64M) 900.000ms\n\
             [3.1s][info][gc] GC(2) Pause Full (Heap Dump Initiated GC) 50M->30M(64M) 900.000ms\n\
             [4.1s][info][gc] GC(3) Pause Full (Metadata GC Threshold) 50M->30M(64M) 900.000ms\n",
            200.0,
        );
        assert_eq!((sizing.old, sizing.heap_bytes), (4, None));
        assert_eq!(
            sizing.summary,
            "4 full collections that were not for want of room were longer than 200 ms: no heap spares what the program, a tool, a heap dump or the metaspace asks for."
        );
    }

    #[test]
    fn of_no_collections_no_number_is_said() {
        let sizing = sized(
            "[1.0s][info][gc] Using G1\n\
             [1.1s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 50M->30M(64M) 300.000ms\n\
             [2.1s][info][gc] GC(1) Pause Full (G1 Compaction Pause) 60M->30M(64M) 100.000ms\n",
            200.0,
        );
        assert_eq!((sizing.young, sizing.old), (1, 0));
        let told = "The heap was short of room, but no collection for it was longer than 200 ms";
        assert!(sizing.summary.contains(told), "{}", sizing.summary);
    }
}

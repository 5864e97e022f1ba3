//! What the heap and the metaspace do over time. The patterns are those of measured launches
//! (`tacho_analysis::memory`), and so are their bounds.

use crate::live::Live;
use crate::{Conclusion, Conclusions, Name, Trend};
use tacho_analysis::memory::beside_heap::{self, METASPACE};
use tacho_analysis::memory::{Finding, Heap, Outcome, Point, growth, oversized, thrashing};
use tacho_figures as figures;
use tacho_gc_log::{Course, GcSummary};

/// In the first minutes caches fill and code warms up: what grows then may come to its end, however
/// steadily it does.
const SHORTEST_LEAK_S: f64 = 900.0;
/// A heap more than this many times its live set is oversized; the bound of measured launches.
const FACTOR: f64 = 5.0;
/// Less is not worth a word.
const LEAST_SPARE: f64 = 64.0 * 1_048_576.0;

/// Looks at it.
pub fn look(summary: &GcSummary, course: &Course, all: &mut Conclusions) {
    let heap = heap(summary, course);
    let metaspace: Vec<Point> = course
        .metaspace
        .iter()
        .map(|(at_s, bytes)| Point::new(*at_s, *bytes))
        .collect();
    if !heap.collections.is_empty() {
        let growth = growth::look(&heap, None);
        let floor = heap.floor();
        let seen_s = floor
            .last()
            .zip(floor.first())
            .map_or(0.0, |(last, first)| last.at_s - first.at_s);
        if growth == Outcome::Absent && seen_s >= SHORTEST_LEAK_S {
            all.absent.push(format!(
                "What is alive after collections of old garbage does not grow without end ({} of them): no leak is seen.",
                floor.len()
            ));
        }
        // For a log of a few minutes nobody expects an answer on leaks.
        let untold = match heap.to_s - heap.from_s {
            short if short < SHORTEST_LEAK_S => "",
            _ => "Whether it leaks",
        };
        take(Name::Leak, untold, long_enough(growth), all);
        take(Name::Thrashing, "", thrashing::look(&heap), all);
        let is_near = Live::of(summary).is_some_and(Live::is_near_the_limit);
        match oversized::look(&heap) {
            _ if is_near => {}
            Outcome::NotEnoughData(_) => all.found.extend(large(&heap)),
            outcome => take(Name::HeapLarge, "", outcome, all),
        }
    }
    if !metaspace.is_empty() {
        let growth = long_enough(beside_heap::look(&METASPACE, &metaspace, None));
        take(Name::MetaspaceLeak, "", growth, all);
    }
}

/// Growth that was looked at for long enough to be called a leak.
fn long_enough(growth: Outcome) -> Outcome {
    match growth {
        Outcome::Found(finding) if finding.to_s - finding.from_s < SHORTEST_LEAK_S => {
            Outcome::NotEnoughData(format!(
                "what is kept grows over {}, and caches that fill do so, too. A log of more than {} tells",
                figures::seconds(finding.to_s - finding.from_s),
                figures::seconds(SHORTEST_LEAK_S)
            ))
        }
        growth => growth,
    }
}

/// Where no collection of old garbage tells what is alive: it is no more than young ones leave.
fn large(heap: &Heap) -> Option<Conclusion> {
    let half = f64::midpoint(heap.from_s, heap.to_s);
    let late = || heap.between(half, heap.to_s);
    let left = late().map(|c| c.after_bytes).reduce(f64::max)?;
    let committed = late().filter_map(|c| c.capacity_bytes).reduce(f64::min)?;
    let is_large = committed >= FACTOR * left && committed - left >= LEAST_SPARE;
    is_large.then(|| Conclusion {
        name: Name::HeapLarge,
        summary: format!(
            "{} of heap are committed, and no collection of the second half has left more than {}, garbage included.",
            figures::bytes(committed),
            figures::bytes(left)
        ),
        advice: Some(format!(
            "a smaller -Xmx is enough; three times what is left would be {}. `tacho fit` finds the smallest that holds",
            figures::bytes(3.0 * left)
        )),
        figures: vec![
            crate::figure("left_bytes", left),
            crate::figure("committed_bytes", committed),
        ],
    })
}

fn heap(summary: &GcSummary, course: &Course) -> Heap {
    let log = &course.log;
    Heap {
        collections: log.collections.clone(),
        max_bytes: summary
            .settings
            .max_heap_bytes
            .or(summary.heap.max_capacity_bytes)
            .map(|bytes| bytes as f64),
        from_s: log.collections.first().map_or(0.0, |first| first.at_s),
        to_s: log.to_s,
    }
}

/// What could not be told is said only where somebody would have looked for it (`untold` says
/// what).
fn take(name: Name, untold: &str, outcome: Outcome, all: &mut Conclusions) {
    match outcome {
        Outcome::Found(finding) => {
            let trend = finding.evidence.iter().find(|line| line.name == "trend");
            let trend = trend.and_then(|line| Trend::through(name, &line.points));
            all.trends.extend(trend);
            all.found.push(conclusion(name, finding));
        }
        Outcome::NotEnoughData(why) if !untold.is_empty() => {
            all.not_told.push(format!("{untold} is not told: {why}."));
        }
        Outcome::NotEnoughData(_) | Outcome::Absent => {}
    }
}

fn conclusion(name: Name, finding: Finding) -> Conclusion {
    Conclusion {
        name,
        summary: format!("{}.", tacho_figures::capitalised(&finding.summary)),
        advice: Some(finding.advice).filter(|advice| !advice.is_empty()),
        figures: finding.figures,
    }
}

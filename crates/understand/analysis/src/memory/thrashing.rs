//! Thrashing: most of the time goes into collections, and they free little.

use super::{Finding, Heap, Kind, Outcome, Point, figure, series};
use std::collections::VecDeque;
use tacho_figures as figures;
use tacho_run_folder::MemoryPattern;
use tacho_statistics::bootstrap::median;

/// The pattern that it looks for.
pub const NAME: MemoryPattern = MemoryPattern::Thrashing;

/// The stretch of time that is looked at; shorter bursts are pauses, not thrashing.
const WINDOW_S: f64 = 10.0;
/// More of it than this share stood still. HotSpot itself gives up at 98 % (`-XX:GCTimeLimit`),
/// long after the service did.
const SHARE: f64 = 0.25;
/// One long collection, of a heap dump say, is none: it does not come again at once.
const FEWEST: usize = 2;
/// A collection frees less than this share of the heap.
const LITTLE: f64 = 0.1;

/// Looks for it.
#[must_use]
pub fn look(heap: &Heap) -> Outcome {
    let observed = heap.to_s - heap.from_s;
    if observed < WINDOW_S {
        return Outcome::NotEnoughData(format!(
            "{} were observed, the window is {}",
            figures::seconds(observed.max(0.0)),
            figures::seconds(WINDOW_S)
        ));
    }
    let Some(worst) = worst(heap) else {
        return Outcome::Absent;
    };
    // Young collections free the young generation; what counts is what is free after those of the
    // old one. Without any of these the heap is not full, however long the pauses are.
    let freed: Vec<f64> = heap
        .between(worst.at_s - WINDOW_S, worst.at_s)
        .filter(|c| c.kind != Kind::Young)
        .map(|c| (c.before_bytes - c.after_bytes) / heap.room(c).max(1.0))
        .collect();
    let Some(freed) = median(&freed).filter(|_| freed.len() >= FEWEST) else {
        return Outcome::Absent;
    };
    if worst.value < SHARE || freed > LITTLE {
        return Outcome::Absent;
    }
    Outcome::Found(Finding {
        pattern: NAME,
        summary: format!(
            "in the worst {} the application stood still for {} of the time, and each collection freed {} of the heap",
            figures::seconds(WINDOW_S),
            figures::percent(worst.value),
            figures::percent(freed.max(0.0))
        ),
        advice: "the heap is too small for what is alive: raise `-Xmx` (or the memory limit, of which the JVM takes a quarter unless `-XX:MaxRAMPercentage` says otherwise), or find what is kept".to_owned(),
        from_s: worst.at_s - WINDOW_S,
        to_s: worst.at_s,
        figures: vec![
            figure("stopped_share", worst.value),
            figure("freed_share", freed),
        ],
        evidence: vec![series("share of time stood still", "1", shares(heap))],
    })
}

/// The share of the window that ends with each collection.
fn shares(heap: &Heap) -> Vec<Point> {
    let mut window: VecDeque<(f64, f64)> = VecDeque::new();
    let mut stopped = 0.0;
    let mut shares = Vec::with_capacity(heap.collections.len());
    for collection in &heap.collections {
        window.push_back((collection.at_s, collection.pause_s));
        stopped += collection.pause_s;
        while let Some((at_s, pause_s)) = window.front().copied()
            && at_s < collection.at_s - WINDOW_S
        {
            stopped -= pause_s;
            window.pop_front();
        }
        shares.push(Point::new(collection.at_s, stopped / WINDOW_S));
    }
    shares
}

fn worst(heap: &Heap) -> Option<Point> {
    shares(heap)
        .into_iter()
        .max_by(|a, b| a.value.total_cmp(&b.value))
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::{Cleaner, MIB, Model};
    use super::*;

    #[test]
    fn a_heap_that_is_full_of_what_lives_thrashes() {
        let heap = Model {
            young: 16.0 * MIB,
            live: |t| (300.0 + t) * MIB,
            cleaner: Cleaner::Full,
            full_pause_s: 0.5,
            ..Model::default()
        }
        .run();
        let outcome = look(&heap);
        let finding = outcome.found().unwrap();
        assert!(finding.figures[0].value > 0.5, "{finding:?}");
        assert!(
            finding.from_s > 150.0,
            "not while there was room: {finding:?}"
        );
    }

    #[test]
    fn many_collections_that_free_much_are_only_costly() {
        let costly = Model {
            pause_s: 0.3,
            rate: |_| 100.0 * MIB,
            promoted: 0.0,
            ..Model::default()
        };
        assert_eq!(look(&costly.run()), Outcome::Absent);
        assert_eq!(look(&Model::default().run()), Outcome::Absent);
    }

    #[test]
    fn long_pauses_of_young_collections_alone_are_no_thrashing() {
        let paused = Model {
            pause_s: 2.0,
            young: 4.0 * MIB,
            heap: 4096.0 * MIB,
            ..Model::default()
        };
        assert_eq!(look(&paused.run()), Outcome::Absent);
    }

    #[test]
    fn a_short_look_says_nothing() {
        let short = Model {
            duration_s: 5.0,
            ..Model::default()
        };
        assert!(matches!(look(&short.run()), Outcome::NotEnoughData(_)));
    }
}

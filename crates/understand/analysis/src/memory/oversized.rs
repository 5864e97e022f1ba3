//! A heap much larger than its live set: memory that is paid for and holds garbage.

use super::{Finding, Heap, Outcome, figure, series};
use tacho_figures as figures;
use tacho_run_folder::MemoryPattern;
use tacho_statistics::bootstrap::median;

/// The pattern that it looks for.
pub const NAME: MemoryPattern = MemoryPattern::OversizedHeap;

/// How many times the live set counts as large. Three to four times is a usual rule for heaps that
/// run well.
const FACTOR: f64 = 5.0;
/// Less is not worth a word.
const LEAST_BYTES: f64 = 64.0 * 1_048_576.0;
/// What is proposed, as a multiple of the live set.
const PROPOSED: f64 = 3.0;
/// Observations of the live set.
const FEWEST: usize = 2;

/// Looks for it.
#[must_use]
pub fn look(heap: &Heap) -> Outcome {
    // The first half may be start-up.
    let half = f64::midpoint(heap.from_s, heap.to_s);
    let floor = heap.floor();
    let live: Vec<f64> = floor
        .iter()
        .filter(|p| p.at_s >= half)
        .map(|p| p.value)
        .collect();
    let capacity: Vec<f64> = heap
        .between(half, heap.to_s)
        .filter_map(|c| c.capacity_bytes)
        .collect();
    if capacity.is_empty() && live.len() >= FEWEST {
        return Outcome::NotEnoughData(
            "the log does not say how much of the heap is committed (a native image says it with `-XX:+VerboseGC`)".to_owned(),
        );
    }
    let (Some(live), Some(capacity), true) =
        (median(&live), median(&capacity), live.len() >= FEWEST)
    else {
        return Outcome::NotEnoughData(format!(
            "{} collections of old garbage in the second half, at least {FEWEST} are needed to know what is alive",
            live.len()
        ));
    };
    let spare = capacity - live;
    if capacity < FACTOR * live || spare < LEAST_BYTES {
        return Outcome::Absent;
    }
    Outcome::Found(Finding {
        pattern: NAME,
        summary: format!(
            "{} of heap are committed and {} are alive: {} times as much",
            figures::bytes(capacity),
            figures::bytes(live),
            figures::number(capacity / live)
        ),
        advice: format!(
            "try `-Xmx{}m` (three times what is alive) and look at the pauses and the throughput; `tacho fit` finds the smallest that holds",
            (PROPOSED * live / 1_048_576.0).ceil()
        ),
        from_s: half,
        to_s: heap.to_s,
        figures: vec![
            figure("live_bytes", live),
            figure("committed_bytes", capacity),
        ],
        evidence: vec![
            series("live set", "bytes", floor),
            series("committed heap", "bytes", heap.committed()),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::{MIB, Model};
    use super::*;

    #[test]
    fn twenty_times_the_live_set_is_found_and_twice_is_not() {
        let large = Model {
            heap: 2048.0 * MIB,
            young: 256.0 * MIB,
            live: |_| 100.0 * MIB,
            rate: |_| 1000.0 * MIB,
            ..Model::default()
        };
        let outcome = look(&large.run());
        let finding = outcome.found().unwrap();
        let live = finding.figures[0].value / MIB;
        assert!((90.0..130.0).contains(&live), "{live}");
        let tight = Model {
            live: |_| 200.0 * MIB,
            ..Model::default()
        };
        assert_eq!(look(&tight.run()), Outcome::Absent);
    }

    #[test]
    fn without_a_collection_of_old_garbage_the_live_set_is_unknown() {
        let never = Model {
            promoted: 0.0,
            ..Model::default()
        };
        assert!(matches!(look(&never.run()), Outcome::NotEnoughData(_)));
    }
}

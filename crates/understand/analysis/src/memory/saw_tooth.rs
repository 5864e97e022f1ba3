//! A saw-tooth that only full collections clear: garbage grows old, and nothing but a full
//! collection frees it.

use super::{Finding, Heap, Kind, Outcome, figure, series};
use tacho_figures as figures;
use tacho_run_folder::MemoryPattern;
use tacho_statistics::bootstrap::median;

/// The pattern that it looks for.
pub const NAME: MemoryPattern = MemoryPattern::SawTooth;

/// Fewer full collections make no saw.
const FEWEST_TEETH: usize = 3;
/// A tooth is at least so high as a share of the heap.
const TOOTH: f64 = 0.25;
/// Within a tooth the other collections never free more than this share of it.
const LARGEST_DENT: f64 = 0.3;

struct Tooth {
    from_s: f64,
    to_s: f64,
    rise: f64,
    drop: f64,
    dent: f64,
    pause_s: f64,
    capacity: f64,
}

/// Looks for it.
#[must_use]
pub fn look(heap: &Heap) -> Outcome {
    if heap.collections.len() < FEWEST_TEETH {
        return Outcome::NotEnoughData(format!(
            "{} collections; a saw-tooth shows in many",
            heap.collections.len()
        ));
    }
    let teeth = teeth(heap);
    let sharp: Vec<&Tooth> = teeth
        .iter()
        .filter(|t| {
            t.drop >= TOOTH * t.capacity
                && t.rise >= 0.5 * t.drop
                && t.dent <= LARGEST_DENT * t.drop
        })
        .collect();
    // A single collection asked for by the program is no pattern.
    let (Some(first), Some(last)) = (sharp.first(), sharp.last()) else {
        return Outcome::Absent;
    };
    if sharp.len() < FEWEST_TEETH || sharp.len() * 2 < teeth.len() {
        return Outcome::Absent;
    }
    let of = |value: fn(&Tooth) -> f64| {
        median(&sharp.iter().map(|t| value(t)).collect::<Vec<_>>()).unwrap_or_default()
    };
    let (drop, pause, period) = (of(|t| t.drop), of(|t| t.pause_s), of(|t| t.to_s - t.from_s));
    Outcome::Found(Finding {
        pattern: NAME,
        summary: format!(
            "the heap fills over {} and only a full collection empties it: {} of {} times, by {} each, with a pause of {}",
            figures::seconds(period),
            sharp.len(),
            teeth.len(),
            figures::bytes(drop),
            figures::seconds(pause)
        ),
        advice: "objects live just long enough to be promoted and die old: give the young generation more room (`-Xmn`, or `-XX:MaxNewSize`), or take a collector that frees old garbage beside the application (G1, ZGC)"
            .to_owned(),
        from_s: first.from_s,
        to_s: last.to_s,
        figures: vec![
            figure("teeth", sharp.len() as f64),
            figure("drop_bytes", drop),
            figure("period_s", period),
            figure("pause_s", pause),
        ],
        evidence: vec![series("heap after each collection", "bytes", heap.after())],
    })
}

/// From the collection after one full collection up to the next.
fn teeth(heap: &Heap) -> Vec<Tooth> {
    let mut teeth = Vec::new();
    let mut begin: Option<(f64, f64)> = None;
    let (mut highest, mut dent) = (0.0_f64, 0.0_f64);
    for collection in &heap.collections {
        if collection.kind == Kind::Full {
            if let Some((from_s, bottom)) = begin {
                teeth.push(Tooth {
                    from_s,
                    to_s: collection.at_s,
                    rise: highest - bottom,
                    drop: highest.max(bottom) - collection.after_bytes,
                    dent,
                    pause_s: collection.pause_s,
                    capacity: heap.room(collection),
                });
            }
            begin = Some((collection.at_s, collection.after_bytes));
            (highest, dent) = (collection.after_bytes, 0.0);
            continue;
        }
        begin.get_or_insert((collection.at_s, collection.after_bytes));
        dent = dent.max(highest - collection.after_bytes);
        highest = highest.max(collection.after_bytes);
    }
    teeth
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::{Cleaner, MIB, Model};
    use super::*;

    #[test]
    fn it_is_found_where_only_full_collections_clear() {
        let heap = Model {
            cleaner: Cleaner::Full,
            ..Model::default()
        }
        .run();
        let outcome = look(&heap);
        let finding = outcome.found().unwrap();
        let fulls = heap
            .collections
            .iter()
            .filter(|c| c.kind == Kind::Full)
            .count();
        assert_eq!(finding.figures[0].value, fulls as f64);
        // 512 MiB of heap, less the young generation, less 100 MiB that live.
        let drop = finding.figures[1].value / MIB;
        assert!((300.0..350.0).contains(&drop), "{drop}");
    }

    #[test]
    fn it_is_not_found_where_cycles_clear_or_nothing_grows_old() {
        assert_eq!(look(&Model::default().run()), Outcome::Absent);
        let young = Model {
            promoted: 0.0,
            cleaner: Cleaner::Full,
            ..Model::default()
        };
        assert_eq!(look(&young.run()), Outcome::Absent);
    }

    #[test]
    fn without_collections_nothing_can_be_told() {
        assert!(matches!(look(&Heap::default()), Outcome::NotEnoughData(_)));
    }
}

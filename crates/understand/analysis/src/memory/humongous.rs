//! Humongous allocations: objects of half a region of G1 or more, each in regions of its own, freed
//! late and leaving holes.

use super::{Figure, Finding, Heap, Outcome, Point, Series};
use tacho_figures as figures;
use tacho_run_folder::MemoryPattern;

/// The pattern that it looks for.
pub const NAME: MemoryPattern = MemoryPattern::HumongousAllocations;

/// They have caused this share of the collections,
const CAUSED_SHARE: f64 = 0.1;
const FEWEST_CAUSED: u64 = 3;
/// or held this share of the heap.
const HELD_SHARE: f64 = 0.2;

/// What a log of G1 says of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Humongous {
    /// Size of a region.
    pub region_bytes: f64,
    /// Collections with the cause `G1 Humongous Allocation`.
    pub caused: u64,
    /// Regions that they held, before each collection.
    pub regions: Vec<Point>,
}

/// Looks for it.
#[must_use]
pub fn look(heap: &Heap, humongous: Option<&Humongous>) -> Outcome {
    let Some(humongous) = humongous.filter(|_| !heap.collections.is_empty()) else {
        return Outcome::NotEnoughData("only the log of G1's collections tells of them".to_owned());
    };
    let most = humongous
        .regions
        .iter()
        .map(|p| p.value)
        .fold(0.0, f64::max);
    let held = most * humongous.region_bytes;
    let capacity = heap
        .collections
        .iter()
        .map(|c| heap.room(c))
        .fold(0.0, f64::max);
    let share = humongous.caused as f64 / heap.collections.len() as f64;
    let causes = humongous.caused >= FEWEST_CAUSED && share >= CAUSED_SHARE;
    let holds = capacity > 0.0 && held >= HELD_SHARE * capacity;
    if !causes && !holds {
        return Outcome::Absent;
    }
    Outcome::Found(Finding {
        pattern: NAME,
        summary: format!(
            "objects of half a region ({}) or more: they caused {} of {} collections and held up to {}",
            figures::bytes(humongous.region_bytes / 2.0),
            humongous.caused,
            heap.collections.len(),
            figures::bytes(held)
        ),
        advice: "larger regions make them ordinary (`-XX:G1HeapRegionSize=`, up to 32m, and more since JDK 18), or split what is so large: buffers, whole responses, collections that grow by doubling".to_owned(),
        from_s: heap.from_s,
        to_s: heap.to_s,
        figures: vec![
            Figure::new("caused_collections", humongous.caused as f64),
            Figure::new("caused_share", share),
            Figure::new("held_bytes", held),
        ],
        evidence: vec![Series {
            name: "held by humongous objects",
            unit: "bytes",
            points: humongous
                .regions
                .iter()
                .map(|p| Point::new(p.at_s, p.value * humongous.region_bytes))
                .collect(),
        }],
    })
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::{MIB, Model};
    use super::*;

    fn humongous(caused: u64, regions: f64) -> Humongous {
        Humongous {
            region_bytes: MIB,
            caused,
            regions: vec![Point::new(1.0, regions)],
        }
    }

    #[test]
    fn what_causes_collections_or_holds_much_is_found() {
        let heap = Model::default().run();
        let many = heap.collections.len() as u64 / 5;
        assert!(look(&heap, Some(&humongous(many, 0.0))).found().is_some());
        assert!(look(&heap, Some(&humongous(0, 200.0))).found().is_some());
        assert_eq!(look(&heap, Some(&humongous(2, 10.0))), Outcome::Absent);
        assert!(matches!(look(&heap, None), Outcome::NotEnoughData(_)));
    }
}

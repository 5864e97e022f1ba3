//! Humongous allocations: objects of half a region of G1 or more, each in regions of its own, freed
//! late and leaving holes.

use super::{Finding, Heap, Outcome, Point, figure, series};
use tacho_figures as figures;
use tacho_run_folder::{HumongousRegions, MemoryPattern};

/// The pattern that it looks for.
pub const NAME: MemoryPattern = MemoryPattern::HumongousAllocations;

/// Found when humongous allocations caused at least this share of the collections,
const CAUSED_SHARE: f64 = 0.1;
const FEWEST_CAUSED: u64 = 3;
/// or humongous objects held at least this share of the heap.
const HELD_SHARE: f64 = 0.2;

/// Looks for it.
#[must_use]
pub fn look(heap: &Heap, humongous: Option<&HumongousRegions>) -> Outcome {
    let Some(humongous) = humongous.filter(|_| !heap.collections.is_empty()) else {
        return Outcome::NotEnoughData("only the log of G1's collections tells of them".to_owned());
    };
    let held = humongous.regions.iter();
    let held = held.map(|(at_s, regions)| Point::new(*at_s, regions * humongous.region_bytes));
    let held: Vec<Point> = held.collect();
    let most = held.iter().map(|p| p.value).fold(0.0, f64::max);
    let capacity = heap
        .collections
        .iter()
        .map(|c| heap.room(c))
        .fold(0.0, f64::max);
    let share = humongous.caused as f64 / heap.collections.len() as f64;
    let causes = humongous.caused >= FEWEST_CAUSED && share >= CAUSED_SHARE;
    let holds = capacity > 0.0 && most >= HELD_SHARE * capacity;
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
            figures::bytes(most)
        ),
        advice: "larger regions make them ordinary (`-XX:G1HeapRegionSize=`, up to 32m, and more since JDK 18), or split what is so large: buffers, whole responses, collections that grow by doubling".to_owned(),
        from_s: heap.from_s,
        to_s: heap.to_s,
        figures: vec![
            figure("caused_collections", humongous.caused as f64),
            figure("caused_share", share),
            figure("held_bytes", most),
        ],
        evidence: vec![series("held by humongous objects", "bytes", held)],
    })
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::{MIB, Model};
    use super::*;

    fn humongous(caused: u64, regions: f64) -> HumongousRegions {
        HumongousRegions {
            region_bytes: MIB,
            caused,
            regions: vec![(1.0, regions)],
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

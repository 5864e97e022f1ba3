//! What is alive, and how much there is room for.

use tacho_gc_log::{GcSummary, LiveSource};
use tacho_run_folder::Collector;

/// From this share of the room on, what is alive leaves too little.
const NEAR: f64 = 0.8;
/// Below it, it leaves enough: between the two nothing is said.
const FAR: f64 = 0.6;
/// The heap may still grow while less of it is committed.
const COMMITTED: f64 = 0.95;
/// The same of Parallel, whose capacity leaves out one survivor space: at most a third of the young
/// generation, which is a third of the heap (`-XX:MinSurvivorRatio=3`).
const COMMITTED_OF_PARALLEL: f64 = 0.85;
/// Unless it is told otherwise, the old generation of collectors whose generations have fixed
/// places is two thirds of the heap (`-XX:NewRatio=2`).
const OLD_SHARE: f64 = 2.0 / 3.0;

/// What is alive beside what there is room for.
#[derive(Debug, Clone, Copy)]
pub struct Live {
    /// Left by collections of old garbage, at last; in bytes.
    pub bytes: f64,
    /// The room for it; in bytes.
    pub room: f64,
    of: Room,
    /// More of the heap could have been committed.
    may_grow: bool,
}

/// What there is room in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Room {
    /// The largest heap, as the log says it.
    Heap,
    /// The most that was committed: the log does not say the largest heap.
    Committed,
    /// The old generation.
    Old,
    /// The old generation, which the log does not show: two thirds of the heap.
    ProbablyOld,
}

impl Live {
    /// `None` when no collection of old garbage tells, or nothing says how large the heap is.
    pub fn of(summary: &GcSummary) -> Option<Self> {
        let heap = &summary.heap;
        let limit = summary.settings.max_heap_bytes;
        let is_all = match summary.settings.collector {
            Some(Collector::Parallel) => COMMITTED_OF_PARALLEL,
            _ => COMMITTED,
        };
        let may_grow = limit
            .zip(heap.last_capacity_bytes)
            .is_some_and(|(limit, committed)| (committed as f64) < is_all * limit as f64);
        if let (Some(live), Some(room)) = (heap.old_after_full_bytes, heap.old_capacity_bytes) {
            return (room > 0).then_some(Self {
                bytes: live as f64,
                room: room as f64,
                of: Room::Old,
                may_grow,
            });
        }
        let live = heap.live_set.as_ref()?;
        if live.source == LiveSource::Young {
            return None;
        }
        let most = limit.or(heap.max_capacity_bytes).filter(|most| *most > 0)? as f64;
        let has_fixed_places = matches!(
            summary.settings.collector,
            Some(Collector::Serial | Collector::Parallel | Collector::Cms)
        );
        let (room, of) = match (has_fixed_places, limit) {
            (true, _) => (most * OLD_SHARE, Room::ProbablyOld),
            (false, Some(_)) => (most, Room::Heap),
            (false, None) => (most, Room::Committed),
        };
        Some(Self {
            bytes: live.last_bytes as f64,
            room,
            of,
            may_grow: may_grow && of != Room::Heap,
        })
    }

    /// Too little room is left.
    pub fn is_near_the_limit(self) -> bool {
        self.bytes >= NEAR * self.room && !self.may_grow
    }

    /// There is room enough.
    pub fn is_far_from_it(self) -> bool {
        self.bytes < FAR * self.room
    }

    /// `430 MiB of the heap's 1 GiB are alive after collections of old garbage`.
    pub fn in_words(self) -> String {
        let live = tacho_figures::bytes(self.bytes);
        let room = tacho_figures::bytes(self.room);
        match self.of {
            Room::Heap => {
                format!("{live} of the heap's {room} are alive after collections of old garbage")
            }
            Room::Committed => format!(
                "{live} are alive after collections of old garbage, and {room} were committed at most"
            ),
            Room::Old => {
                format!("{live} of the old generation's {room} are alive after a full collection")
            }
            Room::ProbablyOld => format!(
                "{live} are alive after collections of old garbage, and the old generation has {room} unless it was told otherwise"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Live;
    use tacho_gc_log::{Reader, Summary};

    /// After a full collection that leaves nearly all of the old generation.
    fn is_near_the_limit(collector: &str, committed: &str) -> bool {
        let log = format!(
            "[0.006s][info][gc] Using {collector}\n\
             [0.006s][info][gc,init] Heap Max Capacity: 1024M\n\
             [9.000s][info][gc,heap] GC(9) ParOldGen: 690000K(699392K)->680000K(699392K)\n\
             [9.000s][info][gc] GC(9) Pause Full (Ergonomics) 787M->664M({committed}) 900.000ms\n"
        );
        let mut reader = Reader::default();
        let mut summary = Summary::default();
        reader.feed(log.as_bytes(), &mut |event| summary.take(event));
        let lines = reader.end(&mut |event| summary.take(event));
        let live = Live::of(&summary.finish(Vec::new(), lines));
        live.unwrap().is_near_the_limit()
    }

    #[test]
    fn a_heap_of_parallel_is_committed_without_a_survivor_space() {
        assert!(is_near_the_limit("Parallel", "911M"));
        assert!(!is_near_the_limit("Parallel", "800M"));
        assert!(is_near_the_limit("Serial", "990M"));
        assert!(!is_near_the_limit("Serial", "911M"));
    }
}

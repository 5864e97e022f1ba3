//! Series of known truth.

use super::{Collection, Heap, Kind};
use tacho_statistics::testkit::noise;

pub(super) const MIB: f64 = 1048576.0;

/// How old garbage is collected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cleaner {
    /// By a full collection when the heap is full.
    Full,
    /// By a concurrent cycle at 45 % of the heap.
    Cycle,
}

/// A model of a heap with generations.
pub(super) struct Model {
    pub heap: f64,
    pub young: f64,
    /// Of time in seconds.
    pub live: fn(f64) -> f64,
    /// Bytes a second, of time.
    pub rate: fn(f64) -> f64,
    /// Share of young garbage that lives long enough to grow old before it is garbage.
    pub promoted: f64,
    pub cleaner: Cleaner,
    pub pause_s: f64,
    pub full_pause_s: f64,
    pub duration_s: f64,
    pub seed: u64,
}

impl Default for Model {
    fn default() -> Self {
        Self {
            heap: 512.0 * MIB,
            young: 64.0 * MIB,
            live: |_| 100.0 * MIB,
            rate: |_| 100.0 * MIB,
            promoted: 0.1,
            cleaner: Cleaner::Cycle,
            pause_s: 0.008,
            full_pause_s: 0.3,
            duration_s: 300.0,
            seed: 1,
        }
    }
}

impl Model {
    pub(super) fn run(&self) -> Heap {
        let noise = noise(20_000, 0.5, self.seed);
        let mut collections = Vec::new();
        let (mut at_s, mut old_garbage) = (0.0, 0.0);
        for wobble in noise.iter() {
            at_s += self.young / (self.rate)(at_s);
            if at_s > self.duration_s {
                break;
            }
            let live = (self.live)(at_s) + wobble * MIB;
            let before = live + old_garbage + self.young;
            old_garbage += self.young * self.promoted;
            let full_at = match self.cleaner {
                Cleaner::Full => self.heap - self.young,
                Cleaner::Cycle => 0.45 * self.heap,
            };
            let cleared = live + old_garbage > full_at;
            if cleared {
                old_garbage = 0.0;
            }
            let (kind, pause_s) = match (cleared, self.cleaner) {
                (false, _) => (Kind::Young, self.pause_s),
                (true, Cleaner::Full) => (Kind::Full, self.full_pause_s),
                (true, Cleaner::Cycle) => (Kind::Old, self.pause_s),
            };
            collections.push(Collection {
                at_s,
                kind,
                before_bytes: before.min(self.heap),
                after_bytes: (live + old_garbage).min(self.heap),
                capacity_bytes: Some(self.heap),
                pause_s,
            });
        }
        Heap {
            collections,
            max_bytes: Some(self.heap),
            from_s: 0.0,
            to_s: self.duration_s,
        }
    }
}

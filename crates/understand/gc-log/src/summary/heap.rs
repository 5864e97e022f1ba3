//! The heap: how full, how large, what lives, what was allocated and promoted.

use super::{Allocation, Heap, Humongous, LiveSet, LiveSource, Promotion};
use crate::event::{Cycle, Generation, HeapChange, Pause, PauseKind, Size, Space, SpaceName};

/// A rotation does not come round in the first minute of a JVM, so that a file that begins then has
/// its first collection.
const SOON: u64 = 60_000_000_000;

/// The heap so far.
#[derive(Debug, Default)]
pub struct HeapFold {
    max_used: Option<u64>,
    min_after: Option<u64>,
    max_capacity: Option<u64>,
    last_capacity: Option<u64>,
    /// Used after the collection before: what is more when the next begins was allocated between
    /// them. `None` where no collection of this JVM was seen yet.
    last_after: Option<u64>,
    allocated: u64,
    /// The same of the young generation alone, where the log has it: what a concurrent collection
    /// frees meanwhile does not hide it.
    last_young: Option<u64>,
    allocated_young: u64,
    /// The begin of a JVM was told and no collection since.
    may_begin: bool,
    /// Nanoseconds from the JVM's begin to its first collection, where that is the log's first line
    /// with an instant and what was allocated before it is counted.
    before_first_line: u64,
    /// Two collections have said how full the heap is, or the first of a JVM has.
    knows_allocation: bool,
    /// Copies of the collector itself may be in it (Shenandoah).
    has_copies: bool,
    /// Cycles of ZGC tell what was allocated beside them, and nothing else does.
    is_concurrent: bool,
    allocated_in_cycles: Option<u64>,
    promoted: Option<Size>,
    generations: Generations,
    humongous: Option<u64>,
    metaspace: Option<u64>,
    /// The old generation after the last full collection, and its capacity.
    old_after_full: Option<(u64, u64)>,
    marked: Live,
    marked_young: u64,
    full: Live,
    old: Live,
    young: Live,
}

/// The spaces of the collection whose lines are being read.
#[derive(Debug, Default)]
struct Generations {
    collection: Option<u64>,
    young: Option<(u64, u64)>,
    young_capacity: Option<u64>,
    old: Option<(Size, Size)>,
    old_capacity: Option<u64>,
}

#[derive(Debug, Default)]
struct Live {
    seen: u64,
    last: u64,
    max: u64,
    min: Option<u64>,
}

impl Live {
    fn see(&mut self, bytes: u64) {
        self.seen += 1;
        self.last = bytes;
        self.max = self.max.max(bytes);
        self.min = Some(self.min.map_or(bytes, |min| min.min(bytes)));
    }

    fn named(&self, source: LiveSource, bytes: Option<u64>) -> Option<LiveSet> {
        (self.seen > 0).then(|| LiveSet {
            source,
            bytes: bytes.or(self.min).unwrap_or(self.last),
            last_bytes: self.last,
            max_bytes: self.max,
            seen: self.seen,
        })
    }
}

impl HeapFold {
    pub fn pause(&mut self, collection: Option<u64>, pause: &Pause<'_>) {
        if let Some(heap) = &pause.heap {
            self.change(heap);
            self.allocation_before(collection, heap);
            match pause.kind {
                PauseKind::Full | PauseKind::RoutineFull => self.full.see(heap.after),
                PauseKind::Mixed | PauseKind::Degenerated => self.old.see(heap.after),
                PauseKind::Young => self.young.see(heap.after),
                PauseKind::Step => {}
            }
        }
        // The spaces of a collection are told before its pause.
        if self.generations.collection == collection {
            if let (Some((before, after)), PauseKind::Young) = (self.generations.old, pause.kind) {
                self.promote(before, after);
            }
            if let Some((before, after)) = self.generations.young {
                self.young_used(collection, before, after);
            }
            if let (PauseKind::Full, Some((_, Size::Bytes(after))), Some(capacity)) = (
                pause.kind,
                self.generations.old,
                self.generations.old_capacity,
            ) {
                self.old_after_full = Some((after, capacity));
            }
        }
        self.generations = Generations::default();
    }

    pub fn cycle(&mut self, collection: Option<u64>, cycle: &Cycle<'_>, heap: &HeapChange) {
        self.is_concurrent = true;
        self.change(heap);
        // Cycles of different generations overlap; only those of one kind follow each other.
        if cycle.generation == Generation::Whole && cycle.name == "Garbage Collection" {
            self.allocation_before(collection, heap);
        }
        self.left_by_cycle(cycle.generation, heap.after);
    }

    /// Shenandoah frees memory beside the program.
    pub fn concurrent(&mut self, collection: Option<u64>, heap: &HeapChange) {
        self.has_copies = true;
        self.change(heap);
        self.allocation_before(collection, heap);
    }

    /// A cycle is over.
    pub fn left_by_cycle(&mut self, generation: Generation, bytes: u64) {
        match generation {
            Generation::Young => self.young.see(bytes),
            Generation::Old | Generation::Whole => self.old.see(bytes),
        }
    }

    /// What the young generation held when its collection began, and when it ended.
    pub fn young_used(&mut self, collection: Option<u64>, before: u64, after: u64) {
        if let Some(last) = known_before(self.last_young, collection) {
            let more = before.saturating_sub(last);
            self.allocated_young = self.allocated_young.saturating_add(more);
        }
        self.last_young = Some(after);
    }

    /// The next collection may be the first of its JVM.
    pub fn may_begin(&mut self) {
        self.may_begin = true;
    }

    /// Before the first collection of a JVM whose begin was told, its heap was empty. `uptime` is
    /// that of the collection's begin.
    pub fn first_collection(&mut self, uptime: Option<u64>, is_first_line: bool) {
        let is_first = std::mem::take(&mut self.may_begin) && self.last_after.is_none();
        let Some(uptime) = uptime.filter(|ns| is_first && *ns <= SOON) else {
            return;
        };
        if is_first_line {
            self.before_first_line = uptime;
        }
        self.last_after = Some(0);
        self.last_young = Some(0);
    }

    /// Nanoseconds from the JVM's start to its first collection, where that is the log's first line
    /// and what was allocated before it is counted; see the field of the same name.
    pub fn before_first_line(&self) -> u64 {
        self.before_first_line
    }

    /// Another JVM writes from here on: what its heap holds is nothing that this one allocated.
    pub fn restart(&mut self) {
        self.last_after = None;
        self.last_young = None;
        self.generations = Generations::default();
    }

    /// How full and how large it was, whatever came after what.
    pub fn extremes(&self) -> Self {
        Self {
            max_used: self.max_used,
            min_after: self.min_after,
            max_capacity: self.max_capacity,
            metaspace: self.metaspace,
            humongous: self.humongous,
            ..Self::default()
        }
    }

    /// How full the heap is, without a collection.
    pub fn used(&mut self, heap: &HeapChange) {
        self.max_used = self.max_used.max(Some(heap.before));
        if let Some(capacity) = heap.capacity {
            self.capacity(capacity);
        }
    }

    fn change(&mut self, heap: &HeapChange) {
        self.max_used = self.max_used.max(Some(heap.before.max(heap.after)));
        self.min_after = Some(self.min_after.map_or(heap.after, |min| min.min(heap.after)));
        if let Some(capacity) = heap.capacity {
            self.capacity(capacity);
        }
    }

    pub fn capacity(&mut self, bytes: u64) {
        self.max_capacity = self.max_capacity.max(Some(bytes));
        self.last_capacity = Some(bytes);
    }

    fn allocation_before(&mut self, collection: Option<u64>, heap: &HeapChange) {
        if let Some(last) = known_before(self.last_after, collection) {
            self.knows_allocation = true;
            self.allocated = self
                .allocated
                .saturating_add(heap.before.saturating_sub(last));
        }
        self.last_after = Some(heap.after);
    }

    pub fn allocated_in_cycle(&mut self, bytes: u64) {
        let sum = self.allocated_in_cycles.get_or_insert(0);
        *sum = sum.saturating_add(bytes);
    }

    pub fn promoted(&mut self, bytes: u64) {
        self.promote(Size::Bytes(0), Size::Bytes(bytes));
    }

    fn promote(&mut self, before: Size, after: Size) {
        let more = match (before, after) {
            (Size::Bytes(before), Size::Bytes(after)) => Size::Bytes(after.saturating_sub(before)),
            (Size::Regions(before), Size::Regions(after)) => {
                Size::Regions(after.saturating_sub(before))
            }
            _ => return,
        };
        self.promoted = Some(match (self.promoted, more) {
            (Some(Size::Bytes(sum)), Size::Bytes(more)) => Size::Bytes(sum.saturating_add(more)),
            (Some(Size::Regions(sum)), Size::Regions(more)) => {
                Size::Regions(sum.saturating_add(more))
            }
            (sum, more) => sum.unwrap_or(more),
        });
    }

    pub fn live(&mut self, generation: Generation, bytes: u64) {
        match generation {
            Generation::Whole => self.marked.see(bytes),
            // A major collection marks the young generation first; together they are the whole.
            Generation::Young => self.marked_young = bytes,
            Generation::Old => self.marked.see(bytes.saturating_add(self.marked_young)),
        }
    }

    pub fn space(&mut self, collection: Option<u64>, space: &Space) {
        if self.generations.collection != collection {
            self.generations = Generations {
                collection,
                ..Generations::default()
            };
        }
        match (space.name, space.before, space.after) {
            (SpaceName::Metaspace, _, Size::Bytes(after)) => self.metaspace = Some(after),
            (SpaceName::Humongous, Size::Regions(before), Size::Regions(after)) => {
                self.humongous = self.humongous.max(Some(before.max(after)));
            }
            (SpaceName::Young, before, after) => {
                self.generations.young = bytes(Some(before)).zip(bytes(Some(after)));
                self.generations.young_capacity = bytes(space.capacity);
            }
            (SpaceName::Old, before, after) => {
                self.generations.old = Some((before, after));
                self.generations.old_capacity = bytes(space.capacity);
                if let (Some(young), Some(old)) =
                    (self.generations.young_capacity, bytes(space.capacity))
                {
                    self.max_capacity = self.max_capacity.max(young.checked_add(old));
                }
            }
            _ => {}
        }
    }

    pub fn allocation(&self, per_second: impl Fn(u64) -> Option<f64>) -> Option<Allocation> {
        let between = self.allocated.max(self.allocated_young);
        let bytes = if self.is_concurrent {
            self.allocated_in_cycles?.saturating_add(between)
        } else {
            self.knows_allocation.then_some(between)?
        };
        Some(Allocation {
            bytes,
            bytes_per_s: per_second(bytes),
            is_upper_bound: self.has_copies,
        })
    }

    pub fn promotion(
        &self,
        region: Option<u64>,
        per_second: impl Fn(u64) -> Option<f64>,
    ) -> Option<Promotion> {
        let bytes = match self.promoted? {
            Size::Bytes(bytes) => bytes,
            Size::Regions(regions) => regions.checked_mul(region?)?,
        };
        Some(Promotion {
            bytes,
            bytes_per_s: per_second(bytes),
        })
    }

    pub fn humongous(&self, region: Option<u64>, collections: u64) -> Option<Humongous> {
        let regions = match self.humongous {
            Some(regions) => regions,
            None if collections > 0 => 0,
            None => return None,
        };
        Some(Humongous {
            max_regions: regions,
            max_bytes: region.and_then(|bytes| bytes.checked_mul(regions)),
            collections,
        })
    }

    pub fn metaspace(&self) -> Option<u64> {
        self.metaspace
    }

    /// `settled` is the least that collections have left in the second half of the log.
    pub fn finish(&self, settled: Option<u64>) -> Heap {
        Heap {
            max_used_bytes: self.max_used,
            max_capacity_bytes: self.max_capacity,
            last_capacity_bytes: self.last_capacity,
            min_after_bytes: self.min_after,
            old_after_full_bytes: self.old_after_full.map(|(after, _)| after),
            old_capacity_bytes: self.old_after_full.map(|(_, capacity)| capacity),
            live_set: self
                .marked
                .named(LiveSource::Marked, Some(self.marked.max))
                .or_else(|| self.full.named(LiveSource::Full, Some(self.full.max)))
                .or_else(|| self.old.named(LiveSource::Old, settled))
                .or_else(|| self.young.named(LiveSource::Young, settled)),
        }
    }
}

/// What a collection before has left. Before the first of a JVM (they are numbered from 0) its heap
/// was empty.
fn known_before(last: Option<u64>, collection: Option<u64>) -> Option<u64> {
    last.or_else(|| (collection == Some(0)).then_some(0))
}

fn bytes(size: Option<Size>) -> Option<u64> {
    match size {
        Some(Size::Bytes(bytes)) => Some(bytes),
        _ => None,
    }
}

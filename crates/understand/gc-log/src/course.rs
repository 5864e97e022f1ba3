//! The collections of a log over time, each with the heap before and after it.

use crate::cause::Cause;
use crate::event::{
    Cycle, CyclePart, Event, Generation, HeapChange, Pause, PauseKind, Size, SpaceName, What,
};
use crate::lines::Lines;
use crate::summary::{GcSummary, LineOrder, Summary};
use tacho_run_folder::{Collection, CollectionKind, CollectionLog, HumongousRegions, PauseTotals};

/// Collections that are kept of one log: at ten a second those of more than five hours.
const MOST: usize = 200_000;

/// The collections of a log over time, and what stood beside them.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// Every collection.
    pub log: CollectionLog,
    /// Metaspace in use: seconds, bytes.
    pub metaspace: Vec<(f64, f64)>,
    /// Every pause by itself, in the order of the log: a collection may have several.
    pub pauses: Vec<SinglePause>,
}

/// A pause, which an objective is held against.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SinglePause {
    /// Its length.
    pub duration_s: f64,
    /// What it is for.
    pub kind: PauseKind,
    /// Why; a step of a cycle has no cause of its own.
    pub cause: Cause,
}

/// From where instants count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// From the JVM's begin: what a launch is measured by. Lines without an uptime have none.
    Uptime,
    /// From the log's first line, whatever its clock and however many JVMs have written it.
    Log,
}

/// The collections so far.
#[derive(Debug)]
pub struct Collections {
    axis: Axis,
    summary: Summary,
    metaspace: Vec<(f64, f64)>,
    pauses: Vec<SinglePause>,
    collections: Vec<Collection>,
    left_out: u64,
    now: Option<f64>,
    last_s: f64,
    /// Pauses of the cycle under way, which are told one by one.
    steps_s: f64,
    capacity: Option<f64>,
    /// Free memory that a native image keeps after the collection that is being told.
    free: Option<f64>,
    /// A cycle of G1 whose marking is done: what it frees shows in the mixed collections, if there
    /// are any.
    marked: Option<Collection>,
    /// A cycle of Shenandoah that has cleaned up what needs no moving.
    cleaning: Option<Collection>,
    humongous: Vec<(f64, f64)>,
    /// The log speaks of humongous regions.
    has_regions: bool,
}

impl Collections {
    /// Nothing has been taken.
    #[must_use]
    pub fn on(axis: Axis) -> Self {
        Self {
            axis,
            summary: Summary::default(),
            metaspace: Vec::new(),
            pauses: Vec::new(),
            collections: Vec::new(),
            left_out: 0,
            now: None,
            last_s: 0.0,
            steps_s: 0.0,
            capacity: None,
            free: None,
            marked: None,
            cleaning: None,
            humongous: Vec::new(),
            has_regions: false,
        }
    }

    /// Takes the next event.
    pub fn take(&mut self, event: &Event<'_>) {
        let on_log = self.summary.place(event);
        let now = match self.axis {
            Axis::Uptime => event.at.uptime,
            Axis::Log => on_log,
        };
        if let Some(now) = now {
            let at_s = now as f64 / 1e9;
            self.now = Some(at_s);
            self.last_s = self.last_s.max(at_s);
        }
        match event.what {
            What::Pause(pause) => self.pause(&pause),
            What::Cycle(cycle) => self.cycle(&cycle),
            What::Concurrent(phase) => match (phase.part, phase.heap) {
                (CyclePart::Begins, _) => self.close_cleaned(),
                (CyclePart::Frees, Some(heap)) => self.cleaned(&heap),
                _ => {}
            },
            What::Capacity(bytes) => self.capacity = Some(bytes as f64),
            What::Space(space) => match (space.name, space.before, space.after) {
                (SpaceName::Humongous, Size::Regions(before), _) => {
                    self.has_regions = true;
                    if let Some(at_s) = self.now.filter(|_| self.humongous.len() < MOST) {
                        self.humongous.push((at_s, before as f64));
                    }
                }
                (SpaceName::Free, _, Size::Bytes(after)) => self.free = Some(after as f64),
                (SpaceName::Metaspace, _, Size::Bytes(after)) => {
                    if let Some(at_s) = self.now.filter(|_| self.metaspace.len() < MOST) {
                        self.metaspace.push((at_s, after as f64));
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn pause(&mut self, pause: &Pause<'_>) {
        let pause_s = pause.duration as f64 / 1e9;
        if self.pauses.len() < MOST {
            self.pauses.push(SinglePause {
                duration_s: pause_s,
                kind: pause.kind,
                cause: pause.cause.map_or(Cause::Other, Cause::of),
            });
        }
        let (Some(heap), Some(at_s)) = (pause.heap, self.now) else {
            self.steps_s += pause_s;
            return;
        };
        let collection = |kind| (kind, heap, at_s);
        match pause.kind {
            PauseKind::Young => {
                if pause.part != CyclePart::BeforeMixed {
                    self.close_marked();
                }
                self.add(collection(CollectionKind::Young), pause_s);
            }
            PauseKind::Mixed => {
                // The first one begins to free what the cycle has found.
                let kind = match self.marked.take() {
                    Some(marked) => {
                        self.steps_s += marked.pause_s;
                        CollectionKind::Old
                    }
                    None => CollectionKind::Young,
                };
                self.add(collection(kind), pause_s);
            }
            PauseKind::Full | PauseKind::RoutineFull => {
                self.close_cleaned();
                self.close_marked();
                self.add(collection(CollectionKind::Full), pause_s);
            }
            PauseKind::Degenerated => {
                self.close_cleaned();
                self.add(collection(CollectionKind::Old), pause_s);
            }
            PauseKind::Step => self.step(pause.part, &heap, at_s, pause_s),
        }
    }

    /// A step of a cycle that says what the heap holds: G1's remark and cleanup.
    fn step(&mut self, part: CyclePart, heap: &HeapChange, at_s: f64, pause_s: f64) {
        self.steps_s += pause_s;
        self.see_capacity(heap);
        if part == CyclePart::Marked {
            self.close_marked();
            self.marked = Some(self.collection((CollectionKind::Old, *heap, at_s), 0.0));
        } else if let Some(marked) = &mut self.marked {
            marked.at_s = at_s;
            marked.after_bytes = heap.after as f64;
        }
        if let Some(marked) = &mut self.marked {
            marked.pause_s += std::mem::take(&mut self.steps_s);
        }
    }

    /// A cycle of G1 found nothing that is worth mixed collections: its own pauses are all that it
    /// frees.
    fn close_marked(&mut self) {
        if let Some(marked) = self.marked.take() {
            self.keep(marked);
        }
    }

    fn cycle(&mut self, cycle: &Cycle<'_>) {
        let (Some(heap), Some(at_s)) = (cycle.heap, self.now) else {
            return;
        };
        let kind = match cycle.generation {
            Generation::Young => CollectionKind::Young,
            Generation::Old | Generation::Whole => CollectionKind::Old,
        };
        self.add((kind, heap, at_s), 0.0);
    }

    /// Shenandoah cleans up twice in a cycle: garbage that needs no moving at once, the rest at the
    /// end. A cycle that finds enough at once leaves the rest out. What marking of the old
    /// generation has found, the next cycle frees; the pauses belong to that.
    fn cleaned(&mut self, heap: &HeapChange) {
        let Some(at_s) = self.now else { return };
        let kind = match self.summary.frees() {
            Generation::Young => CollectionKind::Young,
            Generation::Whole => CollectionKind::Old,
            Generation::Old => return,
        };
        let steps_s = std::mem::take(&mut self.steps_s);
        let mut collection = self.collection((kind, *heap, at_s), steps_s);
        match self.cleaning.take() {
            None => self.cleaning = Some(collection),
            Some(first) => {
                collection.before_bytes = collection.before_bytes.max(first.before_bytes);
                collection.pause_s += first.pause_s;
                self.keep(collection);
            }
        }
    }

    fn close_cleaned(&mut self) {
        if let Some(cleaned) = self.cleaning.take() {
            self.keep(cleaned);
        }
    }

    fn add(&mut self, what: (CollectionKind, HeapChange, f64), pause_s: f64) {
        let steps_s = std::mem::take(&mut self.steps_s);
        let collection = self.collection(what, pause_s + steps_s);
        self.keep(collection);
    }

    fn collection(
        &mut self,
        (kind, heap, at_s): (CollectionKind, HeapChange, f64),
        pause_s: f64,
    ) -> Collection {
        self.see_capacity(&heap);
        Collection {
            at_s,
            kind,
            before_bytes: heap.before as f64,
            after_bytes: heap.after as f64,
            capacity_bytes: self.capacity,
            pause_s,
        }
    }

    fn see_capacity(&mut self, heap: &HeapChange) {
        let said = heap.capacity.map(|bytes| bytes as f64);
        let kept = self.free.take().map(|free| heap.after as f64 + free);
        self.capacity = said.or(kept).or(self.capacity);
    }

    fn keep(&mut self, collection: Collection) {
        if self.collections.len() < MOST {
            // A cycle is known to be all there was to it only when the next collections have been
            // seen.
            let later = self.collections.iter().rev();
            let later = later.take_while(|c| c.at_s > collection.at_s).count();
            self.collections
                .insert(self.collections.len() - later, collection);
        } else {
            self.left_out += 1;
        }
    }

    /// What it all adds up to, and its course.
    #[must_use]
    pub fn finish(mut self, files: Vec<String>, lines: Lines) -> (GcSummary, Course) {
        self.close_marked();
        self.close_cleaned();
        let summary = self.summary.finish(files, lines);
        let follow = summary
            .time
            .as_ref()
            .is_none_or(|time| time.order == LineOrder::Forward);
        if !follow {
            self.collections.clear();
            self.metaspace.clear();
            self.humongous.clear();
        }
        let quantiles = summary.pauses.quantiles_ms;
        let log = CollectionLog {
            file: summary.files.first().cloned().unwrap_or_default(),
            max_heap_bytes: summary.settings.max_heap_bytes,
            humongous: summary
                .settings
                .region_bytes
                .filter(|_| self.has_regions)
                .map(|region| HumongousRegions {
                    region_bytes: region as f64,
                    caused: summary.humongous.as_ref().map_or(0, |h| h.collections),
                    regions: self.humongous,
                }),
            collector: summary.settings.collector,
            collections: self.collections,
            to_s: self.last_s,
            left_out: self.left_out,
            pauses: PauseTotals {
                count: summary.pauses.count,
                total_s: summary.pauses.total_s,
                p50_ms: quantiles.map(|q| q.p50),
                max_ms: quantiles.map(|q| q.max),
            },
            unknown_lines: summary.lines.unknown,
        };
        let course = Course {
            log,
            metaspace: self.metaspace,
            pauses: self.pauses,
        };
        (summary, course)
    }
}

//! The collections of a run's launches: from events to what readers of a run take from a log.

use crate::event::{
    Cycle, CyclePart, Event, Generation, HeapChange, Pause, PauseKind, Size, SpaceName, What,
};
use crate::files::Log;
use crate::lines::Lines;
use crate::summary::Summary;
use std::io;
use std::path::Path;
use tacho_files::log::WithoutHoles;
use tacho_run_folder::{
    Collection, CollectionKind, CollectionLog, FolderError, HumongousRegions, LaunchDir,
    LaunchRecord, PauseTotals,
};

/// Collections that are kept of one log: at ten a second those of more than five hours.
const MOST: usize = 200_000;
/// What the subject printed: native images, and JVMs that are told to, log among it.
const OUTPUT: &str = "log.txt";

/// Reads the log of a launch's collections from its folder; nothing where there is none.
///
/// # Errors
/// When it is there and cannot be read. A log that says nothing is no error.
///
/// The name of the log stands in a document that somebody may have sent: it is opened inside the
/// launch's folder, or not at all.
pub fn of_launch(
    dir: &LaunchDir,
    record: &LaunchRecord,
) -> Result<Option<CollectionLog>, FolderError> {
    let file = record.gc_log.as_deref().unwrap_or(OUTPUT);
    let Some(log) = dir.open(Path::new(file))? else {
        return Ok(None);
    };
    let found = read(WithoutHoles::of(log), file)
        .map_err(|error| FolderError::io(&dir.path().join(file), error))?;
    // The output of a program that collects without a word is no log; a log of its own that has
    // nothing to tell is one.
    let speaks = record.gc_log.is_some() || found.collector.is_some() || found.pauses.count > 0;
    Ok(Some(found).filter(|_| speaks))
}

/// Reads one log to its end.
///
/// # Errors
/// When the input cannot be read.
pub fn read(input: impl io::Read, file: &str) -> io::Result<CollectionLog> {
    let mut log = Log::default();
    let mut fold = Fold::default();
    log.read(input, &mut |event| fold.take(event))?;
    let lines = log.end(&mut |_| {});
    Ok(fold.finish(file, lines))
}

/// The collections so far.
#[derive(Debug, Default)]
struct Fold {
    summary: Summary,
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
    /// The cycle under way frees young garbage alone (generational Shenandoah).
    is_young: bool,
    humongous: Vec<(f64, f64)>,
    /// The log speaks of humongous regions.
    has_regions: bool,
}

impl Fold {
    fn take(&mut self, event: &Event<'_>) {
        self.summary.take(event);
        if let Some(uptime) = event.at.uptime {
            let at_s = uptime as f64 / 1e9;
            self.now = Some(at_s);
            self.last_s = self.last_s.max(at_s);
        }
        match event.what {
            What::Pause(pause) => self.pause(&pause),
            What::Cycle(cycle) => self.cycle(&cycle),
            What::Concurrent(phase) => match (phase.part, phase.heap) {
                (CyclePart::Begins, _) => {
                    self.close_cleaned();
                    self.is_young = phase.generation == Generation::Young;
                }
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
                _ => {}
            },
            _ => {}
        }
    }

    fn pause(&mut self, pause: &Pause<'_>) {
        let pause_s = pause.duration as f64 / 1e9;
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
    /// end. A cycle that finds enough at once leaves the rest out.
    fn cleaned(&mut self, heap: &HeapChange) {
        let Some(at_s) = self.now else { return };
        let kind = match self.is_young {
            true => CollectionKind::Young,
            false => CollectionKind::Old,
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

    fn finish(mut self, file: &str, lines: Lines) -> CollectionLog {
        self.close_marked();
        self.close_cleaned();
        let summary = self.summary.finish(Vec::new(), lines);
        let quantiles = summary.pauses.quantiles_ms;
        CollectionLog {
            file: file.to_owned(),
            max_heap_bytes: summary.settings.max_heap_bytes,
            humongous: summary
                .settings
                .region_bytes
                .filter(|_| self.has_regions)
                .map(|region| HumongousRegions {
                    region_bytes: region as f64,
                    caused: summary.humongous.map_or(0, |h| h.collections),
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
        }
    }
}

//! The counters of a JVM, read again and again. Their offsets are looked up once; after that a
//! reading is one `pread` of some 32 KiB.

use super::PerfData;
use super::layout::{self, Reader, entries};
use std::collections::BTreeMap;
use std::os::unix::fs::FileExt;
use tacho_run_folder::{CountedPauses, JvmSample};

/// Reads a JVM's series.
#[derive(Debug)]
pub struct Gauge {
    memory: PerfData,
    bytes: Vec<u8>,
    /// Number of entries when the offsets were looked up. The JVM adds entries while it starts, and
    /// never moves one.
    known: u32,
    places: Places,
}

/// Offsets of the counters in the memory.
#[derive(Debug, Default)]
struct Places {
    by_name: BTreeMap<String, usize>,
    /// Whose pauses the counters of a collector count.
    collectors: Vec<(CountedPauses, String)>,
    young: Vec<String>,
    old: Vec<String>,
    cause: Option<(usize, usize)>,
    frequency: f64,
}

impl Gauge {
    /// Reads from an open memory.
    #[must_use]
    pub fn new(memory: PerfData) -> Self {
        Self {
            memory,
            bytes: Vec::new(),
            known: 0,
            places: Places::default(),
        }
    }

    /// The counters now; `None` while the JVM has not finished its memory, or when it cannot be
    /// read.
    pub fn read(&mut self, at_ms: f64) -> Option<JvmSample> {
        self.fill()?;
        let count = layout::count(&self.bytes)?;
        if count != self.known {
            self.places = Places::find(&self.bytes)?;
            self.known = count;
        }
        Some(self.places.sample(&self.bytes, at_ms))
    }

    fn fill(&mut self) -> Option<()> {
        let file = self.memory.file();
        let length = file.metadata().ok()?.len().min(super::LARGEST);
        self.bytes.resize(usize::try_from(length).ok()?, 0);
        let read = file.read_at(&mut self.bytes, 0).ok()?;
        self.bytes.truncate(read);
        Some(())
    }
}

/// The row of the series for the content of a performance memory: [`Gauge`] without a JVM.
#[must_use]
pub fn sample(bytes: &[u8], at_ms: f64) -> Option<JvmSample> {
    Some(Places::find(bytes)?.sample(bytes, at_ms))
}

impl Places {
    fn find(bytes: &[u8]) -> Option<Self> {
        let mut places = Self::default();
        let mut texts = BTreeMap::new();
        let base = bytes.as_ptr() as usize;
        entries(bytes, |entry, _| {
            let at = entry.data.as_ptr() as usize - base;
            match (entry.kind, entry.length) {
                (b'J', 0) => drop(places.by_name.insert(entry.name.to_owned(), at)),
                (b'B', length @ 1..) => {
                    if entry.name == "sun.gc.cause" {
                        places.cause = Some((at, length.min(entry.data.len())));
                    }
                    texts.insert(entry.name.to_owned(), text(entry.data));
                }
                _ => {}
            }
        })
        .ok()?;
        for number in 0..4 {
            let collector = format!("sun.gc.collector.{number}");
            if let Some(role) = texts
                .get(&format!("{collector}.name"))
                .and_then(|name| CountedPauses::of(name))
            {
                places.collectors.push((role, collector));
            }
            let generation = format!("sun.gc.generation.{number}");
            let list = match texts.get(&format!("{generation}.name")).map(String::as_str) {
                Some("new" | "young" | "Young") => &mut places.young,
                // One generation only is called `old` or `Heap`.
                Some(_) => &mut places.old,
                None => continue,
            };
            list.push(generation);
        }
        let frequency = places.reading(bytes).count("sun.os.hrt.frequency")?;
        places.frequency = frequency as f64;
        (frequency > 0).then_some(places)
    }

    fn reading<'a>(&'a self, bytes: &'a [u8]) -> Reading<'a> {
        Reading {
            places: self,
            whole: layout::whole(bytes),
        }
    }

    fn sample(&self, bytes: &[u8], at_ms: f64) -> JvmSample {
        let read = self.reading(bytes);
        let (young_collections, young_s) = read.collections(CountedPauses::Young);
        let (full_collections, full_s) = read.collections(CountedPauses::Full);
        let (concurrent_pauses, concurrent_pause_s) = read.collections(CountedPauses::Concurrent);
        let young = read.generations(&self.young);
        let old = read.generations(&self.old);
        let shared = read.count("java.cls.sharedLoadedClasses");
        let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (None, None) => None,
            (a, b) => Some(a.unwrap_or(0).saturating_add(b.unwrap_or(0))),
        };
        JvmSample {
            at_ms,
            heap_used_bytes: sum(young.used, old.used),
            heap_capacity_bytes: sum(young.capacity, old.capacity),
            young_used_bytes: young.used,
            young_capacity_bytes: young.capacity,
            old_used_bytes: old.used,
            old_capacity_bytes: old.capacity,
            metaspace_used_bytes: read.count("sun.gc.metaspace.used"),
            metaspace_capacity_bytes: read.count("sun.gc.metaspace.capacity"),
            class_space_used_bytes: read.count("sun.gc.compressedclassspace.used"),
            class_space_capacity_bytes: read.count("sun.gc.compressedclassspace.capacity"),
            young_collections,
            young_s,
            full_collections,
            full_s,
            concurrent_pauses,
            concurrent_pause_s,
            collecting: self.cause.map(|(at, length)| {
                let cause = bytes.get(at..at + length).map(text).unwrap_or_default();
                u64::from(!cause.is_empty() && cause != "No GC")
            }),
            classes_loaded: read
                .count("java.cls.loadedClasses")
                .map(|parsed| parsed.saturating_add(shared.unwrap_or(0))),
            classes_shared: shared,
            classes_unloaded: sum(
                read.count("java.cls.unloadedClasses"),
                read.count("java.cls.sharedUnloadedClasses"),
            ),
            compilations: read.count("sun.ci.totalCompiles"),
            compilations_failed: read.count("sun.ci.totalBailouts"),
            invalidations: read.count("sun.ci.totalInvalidates"),
            compile_s: read.seconds("java.ci.totalTime"),
            compiled_bytes: read.count("sun.ci.nmethodSize"),
            safepoints: read.count("sun.rt.safepoints"),
            safepoint_s: read.seconds("sun.rt.safepointTime"),
            safepoint_sync_s: read.seconds("sun.rt.safepointSyncTime"),
            threads: read.count("java.threads.live"),
            // Not among the counters of every JDK: the kernel's count is taken.
            collector_cpu_s: None,
        }
    }
}

/// Up to its first zero.
fn text(data: &[u8]) -> String {
    let end = data
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(data.len());
    String::from_utf8_lossy(data.get(..end).unwrap_or(&[])).into_owned()
}

/// Occupied and committed.
#[derive(Debug, Clone, Copy, Default)]
struct Room {
    used: Option<u64>,
    capacity: Option<u64>,
}

#[derive(Clone, Copy)]
struct Reading<'a> {
    places: &'a Places,
    whole: Reader<'a>,
}

impl Reading<'_> {
    fn count(&self, name: &str) -> Option<u64> {
        u64::try_from(self.whole.long(*self.places.by_name.get(name)?)?).ok()
    }

    fn seconds(&self, name: &str) -> Option<f64> {
        Some(self.count(name)? as f64 / self.places.frequency)
    }

    fn collections(&self, role: CountedPauses) -> (Option<u64>, Option<f64>) {
        let mine = || self.places.collectors.iter().filter(|(r, _)| *r == role);
        let number = mine()
            .filter_map(|(_, name)| self.count(&format!("{name}.invocations")))
            .reduce(u64::saturating_add);
        let seconds = mine()
            .filter_map(|(_, name)| self.seconds(&format!("{name}.time")))
            .reduce(|a, b| a + b);
        (number, seconds)
    }

    fn generations(&self, names: &[String]) -> Room {
        let mut room = Room::default();
        for name in names {
            if let Some(capacity) = self.count(&format!("{name}.capacity")) {
                room.capacity = Some(room.capacity.unwrap_or(0).saturating_add(capacity));
            }
            for space in 0..3 {
                if let Some(used) = self.count(&format!("{name}.space.{space}.used")) {
                    room.used = Some(room.used.unwrap_or(0).saturating_add(used));
                }
            }
        }
        room
    }
}

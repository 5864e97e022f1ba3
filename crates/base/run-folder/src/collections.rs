//! The collections of one launch, as the log of its collector tells them. The log is the record
//! (`gc.log`, or among the lines of `log.txt`); this is what readers of a run take from it.

use crate::Collector;

/// What a collection can free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CollectionKind {
    /// Young garbage alone.
    Young,
    /// Old garbage too, beside the application: the end of a concurrent cycle, or its first mixed
    /// collection.
    Old,
    /// Everything, while the application stands still.
    Full,
}

/// One collection as the log tells it: when it ended, what it freed, how long it stopped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Collection {
    /// Its end, in seconds since the process began.
    pub at_s: f64,
    /// What it can free.
    pub kind: CollectionKind,
    /// Heap in use before it.
    pub before_bytes: f64,
    /// And after it.
    pub after_bytes: f64,
    /// Committed heap after it; native images do not always say it.
    pub capacity_bytes: Option<f64>,
    /// How long the application stood still for it.
    pub pause_s: f64,
}

/// All pauses of a launch, steps of concurrent cycles among them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PauseTotals {
    /// Number of pauses.
    pub count: u64,
    /// All of them.
    pub total_s: f64,
    /// Their median; absent when there was none.
    pub p50_ms: Option<f64>,
    /// The longest; absent when there was none.
    pub max_ms: Option<f64>,
}

/// What a log of G1 says of objects of half a region or more.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HumongousRegions {
    /// Size of a region.
    pub region_bytes: f64,
    /// Collections that began for one.
    pub caused: u64,
    /// Regions that they held before each collection: seconds, regions.
    pub regions: Vec<(f64, f64)>,
}

/// What the log of a launch's collections adds up to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CollectionLog {
    /// The file of the launch's folder that was read.
    pub file: String,
    /// As the log names it.
    pub collector: Option<Collector>,
    /// Largest heap allowed.
    pub max_heap_bytes: Option<u64>,
    /// In the order of time.
    pub collections: Vec<Collection>,
    /// The instant of the log's last line.
    pub to_s: f64,
    /// Collections beyond those that are kept, so that a log of any length fits into memory.
    pub left_out: u64,
    /// How long the application stood still.
    pub pauses: PauseTotals,
    /// Objects of half a region or more; absent when the log does not speak of them.
    pub humongous: Option<HumongousRegions>,
    /// Lines of garbage collection that were not understood.
    pub unknown_lines: u64,
}

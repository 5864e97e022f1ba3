//! What a log adds up to: what `tacho gc --json` writes.

use crate::event::Failure;
use crate::lines::Lines;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use tacho_run_folder::{Collector, Quantiles};

/// Version of the format. Fields may be added without changing it, never renamed or removed.
pub const FORMAT: u32 = 1;

/// A garbage collection log. Times are in seconds or milliseconds as their names say; sizes in
/// bytes, as exact as the log has them (mostly whole MiB, rounded down).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct GcSummary {
    /// Version of this format.
    pub tacho: u32,
    /// The files, in the order in which they were read; `-` is standard input.
    pub files: Vec<String>,
    /// What the lines were.
    pub lines: Lines,
    /// How the collector was set up, as far as the log says. After a restart, as it was last.
    pub settings: Settings,
    /// The time that the log covers; null when its lines have no instant.
    pub time: Option<Time>,
    /// Collections: pauses that are collections by themselves, and concurrent cycles.
    pub collections: u64,
    /// Collections among these that the program asked for: `System.gc()`.
    pub asked_for: u64,
    /// Full collections that the program did not ask for. The full collections that a native image
    /// makes as a matter of course are not counted.
    pub forced_full: u64,
    /// Pauses: the program stood still.
    pub pauses: Pauses,
    /// Mostly concurrent collections by name and cause; their time is no pause.
    pub cycles: Vec<CauseTotal>,
    /// Concurrent phases by name; the program ran beside them. Some phases are parts of others.
    pub concurrent_phases: Vec<NamedTotal>,
    /// Wall time of concurrent work: of the cycles where the log has their durations, else of their
    /// phases; null when it has neither.
    pub concurrent_s: Option<f64>,
    /// How full and how large the heap was.
    pub heap: Heap,
    /// What was allocated; null when it cannot be told from this log.
    pub allocation: Option<Allocation>,
    /// What moved to the old generation; null when it cannot be told from this log.
    pub promotion: Option<Promotion>,
    /// Humongous objects (G1); null when the log says nothing about them.
    pub humongous: Option<Humongous>,
    /// Metaspace used after the last collection; null when the log does not say.
    pub metaspace_bytes: Option<u64>,
    /// Threads that waited for memory.
    pub stalls: Stalls,
    /// What went wrong, by name: `evacuation`, `promotion`, `concurrent-mark-aborted`,
    /// `allocation-during-cycle`, `cycle-aborted`, `degenerated`, `out-of-memory` (of the heap),
    /// `out-of-other-memory`.
    pub failures: Vec<NamedCount>,
    /// What the program printed first of an error of memory: `Java heap space`, `Metaspace`; null
    /// when it printed none.
    #[serde(default)]
    pub out_of_memory: Option<String>,
    /// Processor time of collections (`gc,cpu`); null when the log has none.
    pub cpu: Option<CpuTime>,
    /// Everything that stopped all threads, collections included (`safepoint`); null when the log
    /// has none.
    pub safepoints: Option<Safepoints>,
    /// Ages of living objects; null unless the log has tables of them.
    #[serde(default)]
    pub ages: Option<Ages>,
    /// The heap and the pauses over time, at most 4,096 stretches of equal length; those in which
    /// nothing happened are missing.
    pub over_time: Vec<Bucket>,
    /// Length of these stretches.
    pub bucket_s: f64,
    /// What a reader has to know of these numbers.
    pub notes: Vec<String>,
}

impl GcSummary {
    /// Whether the input is something that is not read, though its head may have told a version or
    /// a flag.
    #[must_use]
    pub fn is_something_else(&self) -> bool {
        !self.lines.foreign.is_empty() && self.collections == 0
    }
}

/// How the collector was set up.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs)]
pub struct Settings {
    /// `Serial`, `Parallel`, `G1`, `ZGC`, `Shenandoah`, `Serial (native image)`.
    #[serde(serialize_with = "as_its_log_says")]
    #[schemars(with = "Option<String>")]
    pub collector: Option<Collector>,
    /// Of the JVM.
    pub version: Option<String>,
    /// Processors that it takes for its own.
    pub cpus: Option<u64>,
    /// Memory that it believes it has, in bytes.
    pub memory_bytes: Option<u64>,
    pub min_heap_bytes: Option<u64>,
    pub initial_heap_bytes: Option<u64>,
    pub max_heap_bytes: Option<u64>,
    pub max_young_bytes: Option<u64>,
    pub region_bytes: Option<u64>,
    pub parallel_workers: Option<u64>,
    pub concurrent_workers: Option<u64>,
    /// How the collector decides (Shenandoah, native image).
    pub policy: Option<String>,
}

/// The log of CMS says its whole name, and so did this format from the beginning.
fn as_its_log_says<S: Serializer>(found: &Option<Collector>, to: S) -> Result<S::Ok, S::Error> {
    let name = found.map(|collector| match collector {
        Collector::Cms => "Concurrent Mark Sweep",
        other => other.name(),
    });
    name.serialize(to)
}

/// How the lines of a log follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineOrder {
    /// As one JVM after the other writes them.
    #[default]
    Forward,
    /// Newest first, as log viewers export them.
    Backward,
    /// Lines of several JVMs between each other.
    Mixed,
}

/// The time that the log covers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Time {
    /// Instant of the first line in seconds, on the log's own clock: uptime where it has it.
    pub first_s: f64,
    /// Time that the lines cover, in seconds: from the first to the last; after a restart the times
    /// of the JVMs add up. Rates and shares are of this time.
    pub duration_s: f64,
    /// Wall-clock time from the earliest instant to the latest, in seconds, including the time
    /// between two JVMs; null when the log does not say.
    #[serde(default)]
    pub span_s: Option<f64>,
    /// Whether the lines follow each other: `forward` as a JVM writes them; `backward`, newest
    /// first; `mixed`, lines of several JVMs between each other. Of the latter two only what adds
    /// up is told.
    #[serde(default)]
    #[schemars(with = "String")]
    pub order: LineOrder,
    /// Of the first line, by the clock on the wall, in RFC 3339; null when the log does not say.
    pub began: Option<String>,
    /// Number of times that another JVM began: the uptime fell, or the numbers of collections did.
    pub restarts: u64,
}

/// Pauses of collections, and of the steps of concurrent cycles.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Pauses {
    /// Number of pauses.
    pub count: u64,
    /// All of them.
    pub total_s: f64,
    /// Share of the log's time that was spent in pauses, 0 to 1; null without instants, and where
    /// lines of several JVMs are mixed.
    pub share: Option<f64>,
    /// Distribution; null when there is none.
    pub quantiles_ms: Option<Quantiles>,
    /// Number of pauses by length, in bars up to 1, 2, 5, 10, ... ms.
    #[serde(default)]
    pub histogram: Vec<HistogramBar>,
    /// When the longest ended, since the log's begin.
    pub longest_at_s: Option<f64>,
    /// The same by kind.
    pub by_kind: Vec<KindTotal>,
    /// By kind and cause.
    pub by_cause: Vec<CauseTotal>,
}

/// Pauses of one kind.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct KindTotal {
    /// As the log calls it: `Young (Mixed)`, `Full`, `Remark`.
    pub kind: String,
    /// Whether it is a last resort: a full collection, or a cycle that ended with the program
    /// stopped.
    pub is_last_resort: bool,
    /// Whether it is a collection by itself; if not, it is a step of a concurrent cycle.
    pub is_collection: bool,
    /// Number of pauses.
    pub count: u64,
    /// All of them.
    pub total_s: f64,
    /// Their distribution; null when there is none.
    pub quantiles_ms: Option<Quantiles>,
}

/// What happened for one cause.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct CauseTotal {
    /// As the log calls it.
    pub kind: String,
    /// As the log calls it; null when it says none.
    pub cause: Option<String>,
    /// Number of times that it happened.
    pub count: u64,
    /// All of them; 0 where the log has no durations.
    pub total_s: f64,
    /// The longest of them; 0 where the log has no durations.
    pub max_ms: f64,
}

/// Times by name.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct NamedTotal {
    /// As the log calls it.
    pub name: String,
    /// Number of times that it happened.
    pub count: u64,
    /// All of them.
    pub total_s: f64,
    /// The longest of them.
    pub max_ms: f64,
}

/// Counts by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NamedCount {
    /// What went wrong, by name.
    #[schemars(with = "String")]
    pub name: Failure,
    /// How often it went wrong.
    pub count: u64,
}

/// How full and how large the heap was.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Heap {
    /// The most that was seen to be used.
    pub max_used_bytes: Option<u64>,
    /// The most that was seen to be committed.
    pub max_capacity_bytes: Option<u64>,
    /// Committed at the end.
    pub last_capacity_bytes: Option<u64>,
    /// The least that was left after a collection of any kind.
    pub min_after_bytes: Option<u64>,
    /// The old generation after the last full collection; null unless the log has generations.
    #[serde(default)]
    pub old_after_full_bytes: Option<u64>,
    /// Capacity of the old generation at that time, in bytes.
    #[serde(default)]
    pub old_capacity_bytes: Option<u64>,
    /// Estimate of the live memory, which is what the program really needs; null when no collection
    /// shows it.
    pub live_set: Option<LiveSet>,
}

/// How a live set is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LiveSource {
    /// The collector counted it.
    Marked,
    /// Left by full collections.
    Full,
    /// Left by collections of the old generation, some garbage included.
    Old,
    /// Left by young collections, with more of it.
    Young,
}

/// An estimate of what is reachable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LiveSet {
    /// How it is known: `marked` (the collector counted it), `full` (left by full collections),
    /// `old` (left by collections of the old generation, some garbage included), `young` (left by
    /// young collections, with more of it).
    #[schemars(with = "String")]
    pub source: LiveSource,
    /// The estimate: for `marked` and `full` the most that was seen; for `old` and `young` the
    /// least that collections have left in the second half of the log, which is an upper bound.
    pub bytes: u64,
    /// The value when it was last seen, in bytes.
    pub last_bytes: u64,
    /// The most that was seen.
    pub max_bytes: u64,
    /// How often it was seen.
    pub seen: u64,
}

/// What was allocated until the last collection: since the first in the log, or since the JVM
/// started where the log has its collection 0.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Allocation {
    /// All of it.
    pub bytes: u64,
    /// A second; null without instants.
    pub bytes_per_s: Option<f64>,
    /// An upper bound: the collector's own copies are in it.
    pub is_upper_bound: bool,
}

/// What moved to the old generation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Promotion {
    /// All of it.
    pub bytes: u64,
    /// A second; null without instants.
    pub bytes_per_s: Option<f64>,
}

/// Objects larger than half a region.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Humongous {
    /// The most regions that they took when a collection began.
    pub max_regions: u64,
    /// The same in bytes; null when the log does not say how large a region is.
    pub max_bytes: Option<u64>,
    /// Collections that began because of a humongous allocation.
    pub collections: u64,
}

/// Threads that waited for memory.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Stalls {
    /// Number of waits.
    pub count: u64,
    /// Total time of all waits over all threads, in seconds.
    pub total_s: f64,
    /// The longest of them.
    pub max_ms: f64,
}

/// Processor time of collections, which the JVM rounds to 10 ms each: short ones count as nothing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct CpuTime {
    /// In the program's own code.
    pub user_s: f64,
    /// In the kernel.
    pub system_s: f64,
    /// By the clock on the wall.
    pub real_s: f64,
    /// Collections of 0.1 s or more that had a processor for less than half of their time: the
    /// machine was short of processors, or of memory.
    #[serde(default)]
    pub starved: u64,
    /// Wall-clock time of the longest of these collections, in seconds.
    #[serde(default)]
    pub longest_starved_s: f64,
    /// Collections of 0.1 s or more that spent more time in the kernel than in their own code.
    #[serde(default)]
    pub in_kernel: u64,
}

/// From here on the JVM's rounding to 10 ms hides nothing, in nanoseconds.
const LONG: u64 = 100_000_000;

impl CpuTime {
    /// Adds a collection; times in nanoseconds.
    pub(super) fn add(&mut self, user: u64, system: u64, real: u64) {
        let seconds = super::seconds;
        self.user_s += seconds(user);
        self.system_s += seconds(system);
        self.real_s += seconds(real);
        if real < LONG {
            return;
        }
        let cpu = user.saturating_add(system);
        if cpu.saturating_mul(2) < real {
            self.starved += 1;
            self.longest_starved_s = self.longest_starved_s.max(seconds(real));
        }
        self.in_kernel += u64::from(system > user);
    }
}

/// Everything that stopped all threads, collections included.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Safepoints {
    /// Number of safepoints.
    pub count: u64,
    /// All of them.
    pub total_s: f64,
    /// The part of it spent waiting until all threads stood still, in seconds.
    pub reaching_s: f64,
    /// The longest wait until all threads stood.
    pub max_reaching_ms: f64,
    /// The same by the operation that they were for, as far as the log says.
    pub by_name: Vec<NamedTotal>,
    /// Safepoints among these that were mostly not for a collection.
    #[serde(default)]
    pub others: OtherStops,
}

/// Stops of all threads of which less than half was a pause of the collector.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct OtherStops {
    /// Number of stops.
    pub count: u64,
    /// All of them.
    pub total_s: f64,
    /// The longest of them.
    pub max_ms: f64,
    /// What the longest was for; null where the log does not say.
    pub longest: Option<String>,
    /// When the longest ended, since the log's begin; null without instants.
    pub longest_at_s: Option<f64>,
}

/// Ages of living objects: how many young collections they have survived.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Ages {
    /// Tables: one a young collection.
    pub tables: u64,
    /// Tables after which objects move to the old generation before the oldest age allowed:
    /// survivor spaces are too small for what survives.
    pub early: u64,
    /// Memory that survivors may take, in bytes, by the last table.
    pub desired_survivor_bytes: u64,
    /// The oldest age allowed.
    pub max_threshold: u64,
    /// Bytes of each age.
    pub by_age: Vec<AgeBytes>,
}

/// Living objects of an age.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct AgeBytes {
    /// Young collections that were survived.
    pub age: u64,
    /// Mean over all tables.
    pub mean_bytes: u64,
}

/// Pauses of a range of lengths.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct HistogramBar {
    /// Upper end of the bar in milliseconds; it begins where the bar before ends.
    pub up_to_ms: f64,
    /// Number of pauses in this bar.
    pub count: u64,
    /// Total time of these pauses, in seconds; exact to three digits.
    pub total_s: f64,
}

/// A stretch of time.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Bucket {
    /// Begin of the stretch, in seconds since the log began.
    pub at_s: f64,
    /// Least and most used when a collection began; null when none says it.
    pub before: Option<(u64, u64)>,
    /// Least and most used when a collection ended.
    pub after: Option<(u64, u64)>,
    /// The most that was committed.
    pub capacity_bytes: Option<u64>,
    /// Pauses that ended in it.
    pub pauses: u64,
    /// All of them.
    pub pause_ms: f64,
    /// The longest of them.
    pub max_pause_ms: f64,
    /// Of them, full and degenerated collections.
    pub full: u64,
    /// Stalls that ended in it, over all threads.
    pub stall_ms: f64,
}

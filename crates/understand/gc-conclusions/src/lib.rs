//! What a user should know about a garbage collection log, and which figures support it.
//!
//! ```text
//! GcSummary ----> causes, failures, stops
//!                                         > [Conclusion]
//! CollectionLog -> course
//! ```
//! | module | looks at |
//! |---|---|
//! | `causes` | why the collector ran: each cause means something else |
//! | `full` | full collections for want of memory: whether the heap is small, or something else |
//! | `failures` | what the collector could not do |
//! | `stops` | stops that were no collections, and long ways to a safepoint |
//! | `saw_tooth` | native images: garbage that stays until a complete collection |
//! | `processor` | collections that waited for processors |
//! | `choice` | the collector that was taken because nobody named one |
//! | [`sizing`] | the heap that would have held an objective |
//! | [`side_by_side`] | two logs |
//! | `course` | what the heap and the metaspace do over time: leaks, thrashing, heaps far too large |
//!
//! Only one fact means that the heap is small: what is still alive after old garbage was collected
//! is close to the room for it.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod by_space_and_time;
mod causes;
mod choice;
mod course;
mod failures;
mod full;
mod live;
mod processor;
mod saw_tooth;
pub mod side_by_side;
pub mod sizing;
mod stops;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tacho_analysis::memory::Point;
use tacho_gc_log::{Course, GcSummary};
use tacho_run_folder::MemoryFigure;

/// What is concluded.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Name {
    /// Live memory grows without end.
    Leak,
    /// Memory for classes grows without end.
    MetaspaceLeak,
    /// What is alive is near the most that the heap may be.
    HeapSmall,
    /// The heap is much larger than what is alive.
    HeapLarge,
    /// Most of the time goes into collections that free little.
    Thrashing,
    /// A thread was told that there is no memory.
    OutOfMemory,
    /// The program asked for collections.
    AskedFor,
    /// A heap dump was taken.
    HeapDump,
    /// A histogram of classes was taken.
    HeapInspection,
    /// `jcmd`, an agent or a debugger asked for collections.
    AskedByTool,
    /// Classes outgrew a threshold of the metaspace.
    MetadataThreshold,
    /// The permanent generation was full (before JDK 8).
    PermanentGeneration,
    /// The JVM made its last collection before an error for lack of memory.
    LastDitch,
    /// Compiled code outgrew a threshold of the code cache.
    CodeCache,
    /// G1 was set up to collect when nothing happens.
    Periodic,
    /// Native code held objects while a collection was due.
    GcLocker,
    /// Objects larger than half a region.
    Humongous,
    /// The old generation is collected as a whole, as Serial and Parallel do.
    OldGenerationFilled,
    /// A concurrent collector began too late, or was too slow.
    FellBehind,
    /// G1 found no room for living objects.
    EvacuationFailure,
    /// The old generation had no room for what outlived the young one.
    PromotionFailure,
    /// CMS was not done before the old generation was full.
    ConcurrentModeFailure,
    /// Threads waited for memory.
    AllocationStalls,
    /// The memory that incremental collections leave grows until a complete one frees it.
    SawTooth,
    /// Much of what is allocated moves to the old generation.
    PrematurePromotion,
    /// Collections waited for processors.
    StarvedOfProcessors,
    /// Collections spent their time in the kernel.
    TimeInKernel,
    /// All threads were stopped for something other than a collection.
    OtherStops,
    /// Threads took long to reach a safepoint.
    SlowToSafepoint,
    /// The JVM chose the serial collector because it has too few processors or too little memory.
    SerialByDefault,
}

/// A conclusion, with its figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Conclusion {
    /// Name of the conclusion.
    pub name: Name,
    /// What was seen and what it means, in a sentence or two.
    pub summary: String,
    /// What to do; null where nothing has to be done.
    pub advice: Option<String>,
    /// The numbers that it rests on; units stand in their names.
    pub figures: Vec<MemoryFigure>,
}

fn figure(name: &str, value: f64) -> MemoryFigure {
    MemoryFigure {
        name: name.to_owned(),
        value,
        interval: None,
    }
}

/// Everything that is concluded, the gravest first; and what could not be looked at, each in a
/// sentence.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Conclusions {
    /// What is concluded.
    pub found: Vec<Conclusion>,
    /// What was looked for and is not there, each in a sentence.
    pub absent: Vec<String>,
    /// What could not be told, and what it would take.
    pub not_told: Vec<String>,
    /// Straight lines fitted to memory that was found to grow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trends: Vec<Trend>,
}

/// A straight line over time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trend {
    /// The conclusion that rests on it.
    pub of: Name,
    /// Its begin, in seconds since the log began.
    pub from_s: f64,
    /// Value at the begin, in bytes.
    pub from_bytes: f64,
    /// Its end, in seconds since the log began.
    pub to_s: f64,
    /// Value at the end, in bytes.
    pub to_bytes: f64,
}

impl Trend {
    fn through(of: Name, points: &[Point]) -> Option<Self> {
        let (first, last) = (points.first()?, points.last()?);
        Some(Self {
            of,
            from_s: first.at_s,
            from_bytes: first.value,
            to_s: last.at_s,
            to_bytes: last.value,
        })
    }
}

/// Concludes.
#[must_use]
pub fn conclude(summary: &GcSummary, course: &Course) -> Conclusions {
    let mut all = Conclusions::default();
    course::look(summary, course, &mut all);
    full::look(summary, &mut all.found);
    saw_tooth::look(summary, course, &mut all.found);
    failures::look(summary, &mut all.found);
    causes::look(summary, &mut all.found);
    stops::look(summary, &mut all.found);
    processor::look(summary, &mut all.found);
    choice::look(summary, &mut all.found);
    // Names are in the order of their gravity; of what is alike the first found stays first.
    all.found.sort_by_key(|conclusion| conclusion.name);
    all
}

/// A log that was read: what it adds up to, and what is concluded.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Reading {
    /// What it adds up to.
    #[serde(flatten)]
    pub summary: GcSummary,
    /// What is concluded.
    pub conclusions: Conclusions,
    /// The heap that the pause objective would need; null where the log has no pauses.
    pub sizing: Option<sizing::Sizing>,
}

impl Reading {
    /// Reads nothing more: concludes from what was read.
    #[must_use]
    pub fn of(summary: GcSummary, course: &Course, objective_ms: f64) -> Self {
        Self {
            conclusions: conclude(&summary, course),
            sizing: sizing::size(&summary, course, objective_ms),
            summary,
        }
    }
}

//! What a line says.

use crate::decorations::At;
use serde::{Deserialize, Serialize};
use tacho_run_folder::Collector;

/// One line that was understood. It borrows its texts from the line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event<'a> {
    /// When, as far as the line says.
    pub at: At,
    /// The number in `GC(7)`.
    pub collection: Option<u64>,
    /// What the line says.
    pub what: What<'a>,
}

/// What happened. A pause stops the program, a cycle and a concurrent phase do not: to add up
/// durations of different variants is a mistake.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum What<'a> {
    /// The program stood still.
    Pause(Pause<'a>),
    /// A collection that is mostly concurrent has ended, or was given up.
    Cycle(Cycle<'a>),
    /// A part of a cycle beside which the program ran.
    Concurrent(Concurrent<'a>),
    /// A part of the heap before and after a collection.
    Space(Space),
    /// Living bytes that marking has found (ZGC).
    Live {
        /// Of which generation.
        generation: Generation,
        /// Bytes that are alive.
        bytes: u64,
    },
    /// Bytes allocated while a cycle ran (ZGC).
    Allocated {
        /// In which generation.
        generation: Generation,
        /// Bytes that were allocated.
        bytes: u64,
    },
    /// What the young generation held when its collection began, and when it ended (generational
    /// ZGC).
    YoungUsed {
        /// Bytes when it began.
        before: u64,
        /// Bytes when it ended.
        after: u64,
    },
    /// Bytes that a cycle moved to the old generation (generational ZGC).
    Promoted(u64),
    /// The heap's capacity, where a line of its own says it (ZGC).
    Capacity(u64),
    /// A thread had to wait.
    Stall(Stall<'a>),
    /// Why the next cycle begins (Shenandoah).
    Trigger(&'a str),
    /// Something went wrong.
    Failure(Failure),
    /// The program printed that there is no memory: `Java heap space`, `Metaspace`.
    OutOfMemory(&'a str),
    /// How full the heap is, without a collection (Epsilon), in bytes.
    Used {
        /// In use.
        used: u64,
        /// Committed.
        capacity: u64,
    },
    /// Processor time of a collection (`gc,cpu`), in nanoseconds, rounded to 10 ms by the JVM.
    Cpu {
        /// In the program's own code.
        user: u64,
        /// In the kernel.
        system: u64,
        /// By the clock on the wall.
        real: u64,
    },
    /// All threads stood still at a safepoint, for whatever reason (`safepoint`).
    Safepoint(Safepoint<'a>),
    /// What the safepoint is for whose end is told next (JDK 9 to 12).
    SafepointBegins(&'a str),
    /// Living bytes of an age: so many young collections were survived.
    Age {
        /// Number of collections.
        age: u64,
        /// Bytes of this age.
        bytes: u64,
    },
    /// How the next young collection will decide what is old.
    Tenuring {
        /// Bytes that survivors may take.
        desired: u64,
        /// Age at which objects move to the old generation.
        threshold: u64,
        /// The most that it may become.
        most: u64,
    },
    /// Nothing but its instant: the log covers it.
    Instant,
    /// How the collector was set up.
    Setting(Setting<'a>),
}

/// The application stood still for the collector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause<'a> {
    /// What it is for.
    pub kind: PauseKind,
    /// As the log calls it: `Young (Mixed)`, `Full`, `Mark Start`.
    pub name: &'a str,
    /// Its place in a cycle that is told in parts.
    pub part: CyclePart,
    /// Why: `G1 Evacuation Pause`, `System.gc()`. Steps of a cycle have none.
    pub cause: Option<&'a str>,
    /// The heap before and after; absent where the line does not say.
    pub heap: Option<HeapChange>,
    /// Length in nanoseconds.
    pub duration: u64,
    /// Objects could not be moved for lack of room (G1), or because they are pinned.
    pub evacuation_failed: bool,
}

/// What a pause is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PauseKind {
    /// Collects the young generation.
    Young,
    /// Collects the young generation and a part of the old one (G1).
    Mixed,
    /// A full collection: the whole heap.
    Full,
    /// The same as a matter of course: of a native image's serial collector.
    RoutineFull,
    /// Completes a concurrent cycle with the program stopped (Shenandoah).
    Degenerated,
    /// A step of a concurrent cycle.
    Step,
}

impl PauseKind {
    /// Whether it is a collection by itself.
    #[must_use]
    pub fn is_collection(self) -> bool {
        self != Self::Step
    }

    /// Whether nothing else was left to the collector.
    #[must_use]
    pub fn is_last_resort(self) -> bool {
        matches!(self, Self::Full | Self::Degenerated)
    }
}

/// The heap before and after, in bytes; rounded down by the JVM, mostly to whole MiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeapChange {
    /// Used when it began.
    pub before: u64,
    /// Used when it ended.
    pub after: u64,
    /// Committed at the end; native images and ZGC do not say it.
    pub capacity: Option<u64>,
}

/// A mostly concurrent collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cycle<'a> {
    /// `Garbage Collection`, `Minor Collection`, `Major Collection`, `Concurrent Mark Cycle`.
    pub name: &'a str,
    /// Which generation it frees.
    pub generation: Generation,
    /// Why it began, as the log calls it.
    pub cause: Option<&'a str>,
    /// The heap before and after; absent where the line does not say.
    pub heap: Option<HeapChange>,
    /// Nanoseconds from begin to end, which is no pause; ZGC without generations does not say it.
    pub duration: Option<u64>,
    /// It was given up.
    pub aborted: bool,
}

/// What a cycle or a statistic is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Generation {
    /// The young generation.
    Young,
    /// The old generation.
    Old,
    /// The whole heap.
    Whole,
}

/// A concurrent phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Concurrent<'a> {
    /// `Mark`, `Relocate`, `evacuation`.
    pub name: &'a str,
    /// Its place in a cycle that is told in parts.
    pub part: CyclePart,
    /// Of which generation, where it says so (Shenandoah).
    pub generation: Generation,
    /// The heap (Shenandoah's clean-up).
    pub heap: Option<HeapChange>,
    /// Length in nanoseconds.
    pub duration: u64,
}

/// Where a phase or a pause stands in a cycle that is told in parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CyclePart {
    /// A cycle begins with it (Shenandoah).
    Begins,
    /// Its marking is done with it (G1).
    Marked,
    /// The young collection before the mixed ones (G1).
    BeforeMixed,
    /// It frees what the cycle has found (Shenandoah).
    Frees,
    /// A cycle is over with it (CMS, the first builds of Shenandoah).
    Ends,
    /// Any other part, or no cycle at all.
    Other,
}

/// A part of the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    /// The space by its name.
    pub name: SpaceName,
    /// Size before the collection.
    pub before: Size,
    /// Size after the collection.
    pub after: Size,
    /// How large it is, or for G1's young spaces how large it may become.
    pub capacity: Option<Size>,
}

/// Bytes, or the regions of G1, whose size is a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// A number of bytes.
    Bytes(u64),
    /// A number of regions.
    Regions(u64),
}

/// Which part of the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SpaceName {
    /// Eden and survivors together.
    Young,
    /// Where new objects are allocated.
    Eden,
    /// Objects that survived a young collection.
    Survivor,
    /// The old generation.
    Old,
    /// Objects larger than half a region (G1).
    Humongous,
    /// Objects of an archive (G1).
    Archive,
    /// Free memory (native image).
    Free,
    /// Classes; outside the heap.
    Metaspace,
}

/// A thread waited for memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stall<'a> {
    /// `Allocation Stall`, `Relocation Stall`.
    pub name: &'a str,
    /// Name of the thread.
    pub thread: &'a str,
    /// Length in nanoseconds.
    pub duration: u64,
}

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// Objects could not be moved (G1).
    Evacuation,
    /// A young collection could not promote (Serial, Parallel).
    Promotion,
    /// A concurrent mark was given up for a full collection (G1).
    ConcurrentMarkAborted,
    /// An allocation did not find memory while a cycle ran (Shenandoah).
    AllocationDuringCycle,
    /// A cycle was given up; its own event or the pause that ended it tells.
    CycleAborted,
    /// A cycle was completed with the program stopped (Shenandoah); its pause tells.
    Degenerated,
    /// A thread was told that there is no memory in the heap.
    OutOfMemory,
    /// A thread was told that there is no memory of another kind: metaspace, direct buffers, stacks
    /// of threads.
    OutOfOtherMemory,
    /// The old generation was full before its concurrent collection was done (CMS).
    ConcurrentMode,
    /// A full collection was asked for while a concurrent one ran (CMS).
    ConcurrentModeInterrupted,
}

/// Beginnings of what an `OutOfMemoryError` says that is about the heap; the last two are those of
/// native images.
const OF_THE_HEAP: [&str; 5] = [
    "Java heap space",
    "GC overhead limit exceeded",
    "Requested array size exceeds VM limit",
    "Garbage-collected heap size exceeded",
    "Array allocation too large",
];

impl Failure {
    /// Of an `OutOfMemoryError` that says this: `Java heap space`, `Metaspace`.
    #[must_use]
    pub fn of_error(message: &str) -> Self {
        match OF_THE_HEAP.iter().any(|begin| message.starts_with(begin)) {
            true => Self::OutOfMemory,
            false => Self::OutOfOtherMemory,
        }
    }
}

/// All threads at a safepoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Safepoint<'a> {
    /// The operation: `G1CollectForAllocation`; before JDK 13 it is told before, if at all.
    pub name: Option<&'a str>,
    /// Until all threads stood, in nanoseconds; not in the oldest logs.
    pub reaching: Option<u64>,
    /// The whole of it, in nanoseconds.
    pub total: u64,
}

/// How the collector was set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting<'a> {
    /// The collector, from a line such as `Using G1`.
    Collector(Collector),
    /// Version of the JVM: `25.0.3+9-LTS`.
    Version(&'a str),
    /// Processors that the JVM takes for its own.
    Cpus(u64),
    /// Memory that the JVM believes to have, in bytes.
    Memory(u64),
    /// Smallest heap, in bytes.
    MinHeap(u64),
    /// Heap to begin with, in bytes.
    InitialHeap(u64),
    /// Largest heap, in bytes.
    MaxHeap(u64),
    /// Bytes of a region (G1, Shenandoah).
    RegionSize(u64),
    /// Threads that collect while the program stands.
    ParallelWorkers(u64),
    /// Threads that collect while it runs.
    ConcurrentWorkers(u64),
    /// How the collector decides: Shenandoah's heuristics, a native image's heap policy.
    Policy(&'a str),
    /// Largest young generation, in bytes (native image).
    MaxYoung(u64),
}

//! `diagnosis.json`: what instruments said that cost something, in a launch that therefore counts
//! in no figure.

use crate::MemoryPart;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What was observed of a JVM in a diagnosis launch, when its phases were over.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Diagnosis {
    /// When the JVM was asked for its native memory, in milliseconds since `exec`.
    pub at_ms: f64,
    /// Where the resident memory was.
    pub resident: Option<ResidentMemory>,
    /// Native Memory Tracking by category.
    pub native: Option<NativeReport>,
    /// Objects that a full collection left.
    pub live: Option<LiveSet>,
    /// What the flight recording of the whole launch says.
    pub recording: Option<FlightRecording>,
    /// What could not be observed, and what would change that.
    pub missing: Vec<NotObserved>,
}

/// Where the resident memory of a process was: its mappings, combined with what the JVM says of its
/// own memory.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ResidentMemory {
    /// Resident set as the kernel counts it, read right after the mappings.
    pub rss_bytes: f64,
    /// The parts added up.
    pub sum_bytes: f64,
    /// The parts, largest first; memory without an owner is last.
    pub parts: Vec<MemoryPart>,
}

/// Native Memory Tracking (`jcmd PID VM.native_memory`).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct NativeReport {
    /// Address space set aside, malloc included.
    pub reserved_bytes: u64,
    /// The part of it that may be used without asking the kernel again; at least what is resident.
    pub committed_bytes: u64,
    /// Largest committed first.
    pub categories: Vec<NativeCategory>,
}

/// One category of Native Memory Tracking.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct NativeCategory {
    /// As the JVM calls it: `Java Heap`, `GC`, `Other` (direct buffers are there), ...
    pub name: String,
    /// Address space set aside.
    pub reserved_bytes: u64,
    /// The part of it that is committed, in bytes.
    pub committed_bytes: u64,
}

/// Objects that a full collection left (`jcmd PID GC.class_histogram`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct LiveSet {
    /// Objects of all classes together.
    pub instances: u64,
    /// Their size on the heap.
    pub bytes: u64,
    /// Most bytes first; the largest only, when they are many.
    pub classes: Vec<LiveClass>,
}

/// The objects of one class.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct LiveClass {
    /// As in a Java source: `byte[]`, `java.util.HashMap$Node`.
    pub name: String,
    /// Its module, when it is in a named one: `java.base`.
    pub module: Option<String>,
    /// Objects of this class.
    pub instances: u64,
    /// Their size, without what they refer to.
    pub bytes: u64,
}

/// What a flight recording says, added up.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct FlightRecording {
    /// From its first event to its last.
    pub duration_s: f64,
    /// Events by their kind; `not understood` is one of them.
    pub events: BTreeMap<String, u64>,
    /// Collections by the name that the JVM gives them.
    pub collections: Vec<RecordedCollections>,
    /// Highest use of the heap seen at a collection, in bytes.
    pub highest_heap_bytes: Option<u64>,
    /// What was allocated on the heap, and where; from samples.
    pub allocation: Option<Allocation>,
    /// Objects that were still alive when the recording ended, sampled since its beginning: the
    /// oldest of each class and place.
    pub old_objects: Vec<OldObjects>,
    /// Direct buffers, as last seen.
    pub direct_buffers: Option<DirectBuffers>,
    /// Classes, as last seen.
    pub classes: Option<RecordedClasses>,
    /// Processor time of the JVM as a share of the machine, mean over the recording, 0 to 1.
    pub jvm_cpu_share: Option<f64>,
    /// Compilations that took long enough to be recorded one by one, and the time in them.
    pub compilations: RecordedTime,
    /// Exceptions and errors that were created.
    pub exceptions: Option<u64>,
    /// Waits for a lock (`synchronized`), each recorded and all added up.
    pub monitor_waits: RecordedTime,
    /// Waits of parked threads (`java.util.concurrent`, idle workers too), each recorded and all
    /// added up.
    pub parks: RecordedTime,
    /// Native Memory Tracking by category over time: the highest that was committed. Empty before
    /// JDK 20.
    pub native_peaks: Vec<NativeCategory>,
}

/// Collections of one name.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct RecordedCollections {
    /// `G1New`, `G1Old`, `SerialOld`, `ZGC Minor`, ...
    pub name: String,
    /// Number of collections.
    pub count: u64,
    /// Their pauses added up.
    pub pause_s: f64,
    /// Their longest pause.
    pub longest_pause_s: f64,
}

/// How often, and how long in all.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct RecordedTime {
    /// Events; those below the recording's threshold are not among them.
    pub count: u64,
    /// Their time added up.
    pub total_s: f64,
}

/// Allocation on the heap, from samples. Each sample stands for the bytes that its thread allocated
/// since the sample before.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Allocation {
    /// Number of samples, those of the recorder itself left out.
    pub samples: u64,
    /// Bytes that they stand for.
    pub bytes: u64,
    /// Bytes allocated by the recorder itself, which changes classes when it starts; no other value
    /// includes them.
    pub recorder_bytes: u64,
    /// By class, most first; the largest only.
    pub classes: Vec<AllocatedClass>,
    /// By place in the code, most first; the largest only.
    pub sites: Vec<AllocationSite>,
}

/// What was allocated of a class.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct AllocatedClass {
    /// As in a Java source.
    pub name: String,
    /// Of all that was allocated, 0 to 1.
    pub share: f64,
}

/// What was allocated at a place.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct AllocationSite {
    /// Innermost first: `java.util.Arrays.copyOf:3537`.
    pub frames: Vec<String>,
    /// The class that is allocated there most.
    pub class: String,
    /// Of all that was allocated, 0 to 1.
    pub share: f64,
}

/// Old objects of a class that were allocated at one place.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct OldObjects {
    /// As in a Java source.
    pub class: String,
    /// Where, innermost first.
    pub frames: Vec<String>,
    /// Number of samples of these objects.
    pub samples: u64,
    /// Age of the oldest of these objects, in seconds.
    pub age_s: f64,
}

/// Memory of `ByteBuffer.allocateDirect`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct DirectBuffers {
    /// Number of direct buffers.
    pub count: u64,
    /// Memory that they hold, in bytes.
    pub used_bytes: u64,
    /// The highest that was seen.
    pub highest_bytes: u64,
    /// What they may hold together (`-XX:MaxDirectMemorySize`; unless it is given, as much as the
    /// heap).
    pub limit_bytes: u64,
}

/// Classes and their metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct RecordedClasses {
    /// Loaded since the start.
    pub loaded: u64,
    /// Unloaded since the start.
    pub unloaded: u64,
    /// Metaspace in use at the last collection, where there was one.
    pub metaspace_used_bytes: Option<u64>,
    /// Metaspace committed at the last collection, where there was one.
    pub metaspace_committed_bytes: Option<u64>,
}

/// Something that could not be observed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotObserved {
    /// `native memory`, `live set`, `flight recording`.
    pub what: String,
    /// Why, and what would change it.
    pub why: String,
}

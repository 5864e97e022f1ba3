//! Why a collection began, by what the JVM calls it. The names are those of `gcCause.cpp`, JDK 6 to
//! 25.

/// A group of causes with one meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// `System.gc()`; before JDK 7 `System`.
    AskedFor,
    /// A heap dump.
    HeapDump,
    /// A histogram of classes, or a heap that is walked.
    HeapInspection,
    /// `jcmd PID GC.run`, an agent.
    Tool,
    /// Classes outgrew the threshold of the metaspace.
    MetadataThreshold,
    /// Metaspace is at its limit: soft references are cleared, too.
    LastDitch,
    /// Compiled code outgrew its threshold (JDK 20 on).
    CodeCache,
    /// `-XX:G1PeriodicGCInterval`, and what other collectors do when nothing happens.
    Periodic,
    /// Native code held objects (JNI critical).
    GcLocker,
    /// An object larger than half a region.
    Humongous,
    /// Parallel expects that what is promoted next will not fit.
    Ergonomics,
    /// No room for an object.
    AllocationFailure,
    /// Any other.
    Other,
}

impl Cause {
    /// The group of a cause.
    #[must_use]
    pub fn of(cause: &str) -> Self {
        match cause {
            "System" => Self::AskedFor,
            "Heap Dump Initiated GC" => Self::HeapDump,
            "Heap Inspection Initiated GC" | "Heap Walk Initiated GC" => Self::HeapInspection,
            "Diagnostic Command" | "JvmtiEnv ForceGarbageCollection" => Self::Tool,
            "Metadata GC Threshold" => Self::MetadataThreshold,
            "Last ditch collection" | "Metadata GC Clear Soft References" => Self::LastDitch,
            "CodeCache GC Threshold" | "CodeCache GC Aggressive" => Self::CodeCache,
            "G1 Periodic Collection" => Self::Periodic,
            "GCLocker Initiated GC" => Self::GcLocker,
            "G1 Humongous Allocation" => Self::Humongous,
            "Ergonomics" => Self::Ergonomics,
            "Allocation Failure"
            | "G1 Compaction Pause"
            | "G1 Evacuation Pause"
            | "Pre-Evacuation"
            | "Upgrade To Full GC" => Self::AllocationFailure,
            cause if cause.contains("System.gc()") => Self::AskedFor,
            _ => Self::Other,
        }
    }

    /// The collector itself needed memory.
    #[must_use]
    pub fn is_for_memory(self) -> bool {
        matches!(
            self,
            Self::Ergonomics
                | Self::AllocationFailure
                | Self::Humongous
                | Self::GcLocker
                | Self::Other
        )
    }
}

//! Events, and the table of the kinds that are understood.

use crate::names;
use serde_json::{Map, Value};

/// One event, as far as it is used.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// `jdk.GarbageCollection`.
    Collection {
        /// When it began.
        at: Instant,
        /// The number in `GC(7)` of the log.
        id: u64,
        /// `G1New`, `ZGC Minor`, ...
        name: String,
        /// Its pauses added up, in nanoseconds.
        pauses_ns: u64,
        /// The longest of them.
        longest_pause_ns: u64,
    },
    /// `jdk.GCPhasePause`: the application stood still.
    Pause {
        /// When it began.
        at: Instant,
        /// Number of the collection.
        id: u64,
        /// `GC Pause`, `Pause Mark Start`, ...
        name: String,
        /// Length of the pause in nanoseconds.
        ns: u64,
    },
    /// `jdk.GCHeapSummary`, before or after a collection.
    Heap {
        /// Instant of the reading.
        at: Instant,
        /// Number of the collection.
        id: u64,
        /// Before it, else after it.
        is_before: bool,
        /// Bytes in use.
        used_bytes: u64,
        /// May be used.
        committed_bytes: u64,
    },
    /// `jdk.MetaspaceSummary`, before or after a collection.
    Metaspace {
        /// Instant of the reading.
        at: Instant,
        /// Bytes in use.
        used_bytes: u64,
        /// May be used.
        committed_bytes: u64,
    },
    /// `jdk.ObjectAllocationSample`.
    Allocation {
        /// Instant of the sample.
        at: Instant,
        /// As in a Java source.
        class: String,
        /// Bytes that it stands for.
        bytes: u64,
        /// Innermost first.
        frames: Vec<String>,
    },
    /// `jdk.OldObjectSample`: still alive.
    OldObject {
        /// When it was looked at.
        at: Instant,
        /// As in a Java source.
        class: String,
        /// Since its allocation, in nanoseconds.
        age_ns: u64,
        /// Where it was allocated, innermost first.
        frames: Vec<String>,
    },
    /// `jdk.DirectBufferStatistics`.
    DirectBuffers {
        /// Instant of the reading.
        at: Instant,
        /// Number of direct buffers.
        count: u64,
        /// What they hold.
        used_bytes: u64,
        /// What they may hold.
        limit_bytes: u64,
    },
    /// `jdk.NativeMemoryUsage`: one category.
    NativeMemory {
        /// Instant of the reading.
        at: Instant,
        /// As the JVM calls it.
        category: String,
        /// Address space set aside.
        reserved_bytes: u64,
        /// Of it what may be used.
        committed_bytes: u64,
    },
    /// `jdk.NativeMemoryUsageTotal`.
    NativeMemoryTotal {
        /// Instant of the reading.
        at: Instant,
        /// May be used, all categories together.
        committed_bytes: u64,
    },
    /// `jdk.ClassLoadingStatistics`.
    Classes {
        /// Instant of the reading.
        at: Instant,
        /// Since the start.
        loaded: u64,
        /// Since the start.
        unloaded: u64,
    },
    /// `jdk.CPULoad`.
    CpuLoad {
        /// Instant of the reading.
        at: Instant,
        /// Of all processors, 0 to 1.
        jvm_share: f64,
    },
    /// `jdk.Compilation`.
    Compilation {
        /// When it began.
        at: Instant,
        /// Time of the compilation in nanoseconds.
        ns: u64,
    },
    /// `jdk.ExceptionStatistics`.
    Exceptions {
        /// Instant of the reading.
        at: Instant,
        /// Created since the start.
        created: u64,
    },
    /// `jdk.JavaMonitorEnter`: waiting for a lock.
    MonitorWait {
        /// When it began.
        at: Instant,
        /// Time of the wait in nanoseconds.
        ns: u64,
    },
    /// `jdk.ThreadPark`.
    Park {
        /// When it began.
        at: Instant,
        /// Time that the thread was parked, in nanoseconds.
        ns: u64,
    },
    /// A line that is not as it should be.
    Unread,
}

/// Nanoseconds since 1970.
pub type Instant = u64;

/// A line of the reader.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// An event of a kind that was asked for.
    Event(Event),
    /// The last line: without it the stream was cut off.
    End,
}

type Read = fn(&Fields<'_>) -> Option<Event>;

/// The kinds that are understood, in the order of `memory.jfc`.
pub const KINDS: &[(&str, Read)] = &[
    ("jdk.GarbageCollection", |e| {
        Some(Event::Collection {
            at: e.at()?,
            id: e.number("gcId")?,
            name: e.text("name")?.to_owned(),
            pauses_ns: e.number("sumOfPauses")?,
            longest_pause_ns: e.number("longestPause")?,
        })
    }),
    ("jdk.GCPhasePause", |e| {
        Some(Event::Pause {
            at: e.at()?,
            id: e.number("gcId")?,
            name: e.text("name")?.to_owned(),
            ns: e.number("duration")?,
        })
    }),
    ("jdk.GCHeapSummary", |e| {
        Some(Event::Heap {
            at: e.at()?,
            id: e.number("gcId")?,
            is_before: e.text("when")?.starts_with("Before"),
            used_bytes: e.number("heapUsed")?,
            committed_bytes: e.inside("heapSpace")?.number("committedSize")?,
        })
    }),
    ("jdk.MetaspaceSummary", |e| {
        let all = e.inside("metaspace")?;
        Some(Event::Metaspace {
            at: e.at()?,
            used_bytes: all.number("used")?,
            committed_bytes: all.number("committed")?,
        })
    }),
    ("jdk.ObjectAllocationSample", |e| {
        Some(Event::Allocation {
            at: e.at()?,
            class: names::class(e.text("objectClass")?),
            bytes: e.number("weight")?,
            frames: e.frames(),
        })
    }),
    ("jdk.OldObjectSample", |e| {
        Some(Event::OldObject {
            at: e.at()?,
            class: names::class(e.inside("object")?.text("type")?),
            age_ns: e.number("objectAge")?,
            frames: e.frames(),
        })
    }),
    ("jdk.DirectBufferStatistics", |e| {
        Some(Event::DirectBuffers {
            at: e.at()?,
            count: e.number("count")?,
            used_bytes: e.number("memoryUsed")?,
            limit_bytes: e.number("maxCapacity")?,
        })
    }),
    ("jdk.NativeMemoryUsage", |e| {
        Some(Event::NativeMemory {
            at: e.at()?,
            category: e.text("type")?.to_owned(),
            reserved_bytes: e.number("reserved")?,
            committed_bytes: e.number("committed")?,
        })
    }),
    ("jdk.NativeMemoryUsageTotal", |e| {
        Some(Event::NativeMemoryTotal {
            at: e.at()?,
            committed_bytes: e.number("committed")?,
        })
    }),
    ("jdk.ClassLoadingStatistics", |e| {
        Some(Event::Classes {
            at: e.at()?,
            loaded: e.number("loadedClassCount")?,
            unloaded: e.number("unloadedClassCount")?,
        })
    }),
    ("jdk.CPULoad", |e| {
        Some(Event::CpuLoad {
            at: e.at()?,
            jvm_share: e.share("jvmUser")? + e.share("jvmSystem")?,
        })
    }),
    ("jdk.Compilation", |e| {
        Some(Event::Compilation {
            at: e.at()?,
            ns: e.number("duration")?,
        })
    }),
    ("jdk.ExceptionStatistics", |e| {
        Some(Event::Exceptions {
            at: e.at()?,
            created: e.number("throwables")?,
        })
    }),
    ("jdk.JavaMonitorEnter", |e| {
        Some(Event::MonitorWait {
            at: e.at()?,
            ns: e.number("duration")?,
        })
    }),
    ("jdk.ThreadPark", |e| {
        Some(Event::Park {
            at: e.at()?,
            ns: e.number("duration")?,
        })
    }),
];

/// Parses a line of the reader; `None` when it is none, or lacks what its kind has.
#[must_use]
pub fn parse_line(line: &str) -> Option<Line> {
    if is_end(line) {
        return Some(Line::End);
    }
    let (kind, fields) = fields_of(line)?;
    let (_, read) = KINDS.iter().find(|(name, _)| *name == kind)?;
    read(&Fields(&fields)).map(Line::Event)
}

/// The last line of a whole stream.
pub fn is_end(line: &str) -> bool {
    // Cheaper than to parse each line twice; an event's line begins with its name.
    line.starts_with("{\"end\"")
}

/// The kind of an event and its fields.
pub fn fields_of(line: &str) -> Option<(String, Map<String, Value>)> {
    let Ok(Value::Object(mut line)) = serde_json::from_str(line) else {
        return None;
    };
    let Some(Value::Object(fields)) = line.remove("fields") else {
        return None;
    };
    match line.remove("event") {
        Some(Value::String(kind)) => Some((kind, fields)),
        _ => None,
    }
}

/// The fields of an event, each as what it has to be.
pub struct Fields<'a>(&'a Map<String, Value>);

impl<'a> Fields<'a> {
    pub(crate) fn of(fields: &'a Map<String, Value>) -> Self {
        Self(fields)
    }
}

impl Fields<'_> {
    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        self.0.get(name)?.as_u64()
    }

    /// 0 to 1; the JVM rounds to a little more now and then.
    fn share(&self, name: &str) -> Option<f64> {
        let share = self.0.get(name)?.as_f64()?;
        Some(share.clamp(0.0, 1.0))
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    fn at(&self) -> Option<Instant> {
        self.number("startTime")
    }

    pub(crate) fn inside(&self, name: &str) -> Option<Fields<'_>> {
        self.0.get(name)?.as_object().map(Fields)
    }

    /// Events of threads without Java frames have no stack.
    pub(crate) fn frames(&self) -> Vec<String> {
        let frames = self.0.get("stackTrace").and_then(Value::as_array);
        frames
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(names::frame)
            .collect()
    }
}

impl Event {
    /// When it happened; `None` of what could not be read.
    #[must_use]
    pub fn at(&self) -> Option<Instant> {
        match self {
            Self::Collection { at, .. }
            | Self::Pause { at, .. }
            | Self::Heap { at, .. }
            | Self::Metaspace { at, .. }
            | Self::Allocation { at, .. }
            | Self::OldObject { at, .. }
            | Self::DirectBuffers { at, .. }
            | Self::NativeMemory { at, .. }
            | Self::NativeMemoryTotal { at, .. }
            | Self::Classes { at, .. }
            | Self::CpuLoad { at, .. }
            | Self::Compilation { at, .. }
            | Self::Exceptions { at, .. }
            | Self::MonitorWait { at, .. }
            | Self::Park { at, .. } => Some(*at),
            Self::Unread => None,
        }
    }

    /// The kind for people.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Collection { .. } => "GarbageCollection",
            Self::Pause { .. } => "GCPhasePause",
            Self::Heap { .. } => "GCHeapSummary",
            Self::Metaspace { .. } => "MetaspaceSummary",
            Self::Allocation { .. } => "ObjectAllocationSample",
            Self::OldObject { .. } => "OldObjectSample",
            Self::DirectBuffers { .. } => "DirectBufferStatistics",
            Self::NativeMemory { .. } => "NativeMemoryUsage",
            Self::NativeMemoryTotal { .. } => "NativeMemoryUsageTotal",
            Self::Classes { .. } => "ClassLoadingStatistics",
            Self::CpuLoad { .. } => "CPULoad",
            Self::Compilation { .. } => "Compilation",
            Self::Exceptions { .. } => "ExceptionStatistics",
            Self::MonitorWait { .. } => "JavaMonitorEnter",
            Self::Park { .. } => "ThreadPark",
            Self::Unread => "not understood",
        }
    }
}

//! Events, and the table of the kinds that are understood.

use crate::names;
use serde_json::{Map, Value};

/// One event of a flight recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// As the JVM calls it, without `jdk.`.
    pub kind: &'static str,
    /// When it began or was seen; `None` of what could not be read.
    pub at: Option<Instant>,
    /// What it says, as far as it is used.
    pub what: What,
}

/// What happened, as far as it is used.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// `jdk.GarbageCollection`: one collection.
    Collection {
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
        /// Number of the collection.
        id: u64,
        /// How long it stood still, in nanoseconds.
        ns: u64,
    },
    /// `jdk.GCHeapSummary`, before or after a collection.
    Heap {
        /// Number of the collection.
        id: u64,
        /// Before it, else after it.
        is_before: bool,
        /// Heap in use, in bytes.
        used_bytes: u64,
    },
    /// `jdk.MetaspaceSummary`, before or after a collection.
    Metaspace {
        /// Metaspace in use, in bytes.
        used_bytes: u64,
        /// May be used.
        committed_bytes: u64,
    },
    /// `jdk.ObjectAllocationSample`: one sampled allocation.
    Allocation {
        /// As in a Java source.
        class: String,
        /// Bytes that it stands for.
        bytes: u64,
        /// Where it was allocated, innermost first.
        frames: Vec<String>,
    },
    /// `jdk.OldObjectSample`: still alive.
    OldObject {
        /// As in a Java source.
        class: String,
        /// Since its allocation, in nanoseconds.
        age_ns: u64,
        /// Where it was allocated, innermost first.
        frames: Vec<String>,
    },
    /// `jdk.DirectBufferStatistics`: all direct buffers at that instant.
    DirectBuffers {
        /// Number of buffers.
        count: u64,
        /// What they hold.
        used_bytes: u64,
        /// What they may hold.
        limit_bytes: u64,
    },
    /// `jdk.NativeMemoryUsage`: one category.
    NativeMemory {
        /// As the JVM calls it.
        category: String,
        /// Address space set aside.
        reserved_bytes: u64,
        /// Of it what may be used.
        committed_bytes: u64,
    },
    /// `jdk.NativeMemoryUsageTotal`: counted as an event, and not read.
    NativeMemoryTotal,
    /// `jdk.ClassLoadingStatistics`: classes so far.
    Classes {
        /// Since the start.
        loaded: u64,
        /// Since the start.
        unloaded: u64,
    },
    /// `jdk.CPULoad`: of all processors, 0 to 1.
    CpuLoad(f64),
    /// `jdk.Compilation`, in nanoseconds.
    Compilation(u64),
    /// `jdk.ExceptionStatistics`: created since the start.
    Exceptions(u64),
    /// `jdk.JavaMonitorEnter`: waiting for a lock, in nanoseconds.
    MonitorWait(u64),
    /// `jdk.ThreadPark`, in nanoseconds.
    Park(u64),
    /// A line that is not as it should be.
    Unread,
}

/// Nanoseconds since 1970.
pub type Instant = u64;

/// A line of the reader.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// One event, understood or not.
    Event(Event),
    /// The last line: nothing follows.
    End,
}

type Read = fn(&Fields<'_>) -> Option<What>;

/// The kinds that are understood, in the order of `memory.jfc`.
pub const KINDS: &[(&str, Read)] = &[
    ("jdk.GarbageCollection", |e| {
        Some(What::Collection {
            id: e.number("gcId")?,
            name: e.text("name")?.to_owned(),
            pauses_ns: e.number("sumOfPauses")?,
            longest_pause_ns: e.number("longestPause")?,
        })
    }),
    ("jdk.GCPhasePause", |e| {
        Some(What::Pause {
            id: e.number("gcId")?,
            ns: e.number("duration")?,
        })
    }),
    ("jdk.GCHeapSummary", |e| {
        Some(What::Heap {
            id: e.number("gcId")?,
            is_before: e.text("when")?.starts_with("Before"),
            used_bytes: e.number("heapUsed")?,
        })
    }),
    ("jdk.MetaspaceSummary", |e| {
        let all = e.inside("metaspace")?;
        Some(What::Metaspace {
            used_bytes: all.number("used")?,
            committed_bytes: all.number("committed")?,
        })
    }),
    ("jdk.ObjectAllocationSample", |e| {
        Some(What::Allocation {
            class: names::class(e.text("objectClass")?),
            bytes: e.number("weight")?,
            frames: e.frames(),
        })
    }),
    ("jdk.OldObjectSample", |e| {
        Some(What::OldObject {
            class: names::class(e.inside("object")?.text("type")?),
            age_ns: e.number("objectAge")?,
            frames: e.frames(),
        })
    }),
    ("jdk.DirectBufferStatistics", |e| {
        Some(What::DirectBuffers {
            count: e.number("count")?,
            used_bytes: e.number("memoryUsed")?,
            limit_bytes: e.number("maxCapacity")?,
        })
    }),
    ("jdk.NativeMemoryUsage", |e| {
        Some(What::NativeMemory {
            category: e.text("type")?.to_owned(),
            reserved_bytes: e.number("reserved")?,
            committed_bytes: e.number("committed")?,
        })
    }),
    ("jdk.NativeMemoryUsageTotal", |_| {
        Some(What::NativeMemoryTotal)
    }),
    ("jdk.ClassLoadingStatistics", |e| {
        Some(What::Classes {
            loaded: e.number("loadedClassCount")?,
            unloaded: e.number("unloadedClassCount")?,
        })
    }),
    ("jdk.CPULoad", |e| {
        Some(What::CpuLoad(e.share("jvmUser")? + e.share("jvmSystem")?))
    }),
    ("jdk.Compilation", |e| {
        Some(What::Compilation(e.number("duration")?))
    }),
    ("jdk.ExceptionStatistics", |e| {
        Some(What::Exceptions(e.number("throwables")?))
    }),
    ("jdk.JavaMonitorEnter", |e| {
        Some(What::MonitorWait(e.number("duration")?))
    }),
    ("jdk.ThreadPark", |e| {
        Some(What::Park(e.number("duration")?))
    }),
];

/// Parses a line of the reader; `None` when it is none, or lacks what its kind has.
#[must_use]
pub fn parse_line(line: &str) -> Option<Line> {
    if is_end(line) {
        return Some(Line::End);
    }
    let (kind, fields) = fields_of(line)?;
    let (name, read) = KINDS.iter().find(|(name, _)| *name == kind)?;
    let fields = Fields(&fields);
    Some(Line::Event(Event {
        kind: name.strip_prefix("jdk.").unwrap_or(name),
        at: Some(fields.number("startTime")?),
        what: read(&fields)?,
    }))
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
    /// A line that cannot be read.
    pub(crate) const UNREAD: Self = Self {
        kind: "not understood",
        at: None,
        what: What::Unread,
    };
}

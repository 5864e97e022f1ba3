//! What a recording says, added up event by event: what is kept does not grow with its length, but
//! with the number of places in the code at which there are samples.

use crate::event::Event;
use crate::names;
use std::collections::{BTreeMap, HashMap};
use tacho_run_folder::{
    AllocatedClass, Allocation, AllocationSite, DirectBuffers, FlightRecording, NativeCategory,
    OldObjects, RecordedClasses, RecordedCollections,
};

/// Frames of a place in the code that are kept: they tell the callers of a copy or an append apart.
const FRAMES: usize = 6;
/// Classes and places that are kept in the end.
const MOST: usize = 25;
/// Frames of the recorder itself begin so.
const RECORDER: &str = "jdk.jfr.";

/// Adds an event of its kind, unless that lacks what it has to have.
type Add = fn(&mut Summary, &Event) -> Option<()>;

/// The kinds that are understood, in the order of `memory.jfc`.
pub const KINDS: &[(&str, Add)] = &[
    ("jdk.GarbageCollection", |to, e| {
        let (pauses_ns, longest_ns) = (e.number("sumOfPauses")?, e.number("longestPause")?);
        let all = to.collections.entry(e.text("name")?.to_owned());
        let all = all.or_default();
        all.count += 1;
        all.pause_s += seconds(pauses_ns);
        all.longest_pause_s = all.longest_pause_s.max(seconds(longest_ns));
        Some(())
    }),
    ("jdk.GCPhasePause", |_, _| Some(())),
    ("jdk.GCHeapSummary", |to, e| {
        let highest = &mut to.recording.highest_heap_bytes;
        *highest = Some(highest.unwrap_or(0).max(e.number("heapUsed")?));
        Some(())
    }),
    ("jdk.MetaspaceSummary", |to, e| {
        let (used, committed) = (
            e.number("metaspace.used")?,
            e.number("metaspace.committed")?,
        );
        to.classes().metaspace_used_bytes = Some(used);
        to.classes().metaspace_committed_bytes = Some(committed);
        Some(())
    }),
    ("jdk.ObjectAllocationSample", |to, e| {
        let class = names::class(e.text("objectClass")?);
        to.allocated(class, e.number("weight")?, e.frames());
        Some(())
    }),
    ("jdk.OldObjectSample", |to, e| {
        let (class, age_ns) = (e.text("object.type")?, e.number("objectAge")?);
        let old = to.old.entry((names::class(class), cut(e.frames())));
        let (samples, age) = old.or_default();
        *samples += 1;
        *age = age_ns.max(*age);
        Some(())
    }),
    ("jdk.DirectBufferStatistics", |to, e| {
        let used_bytes = e.number("memoryUsed")?;
        let before = to.recording.direct_buffers.unwrap_or_default();
        to.recording.direct_buffers = Some(DirectBuffers {
            count: e.number("count")?,
            used_bytes,
            highest_bytes: before.highest_bytes.max(used_bytes),
            limit_bytes: e.number("maxCapacity")?,
        });
        Some(())
    }),
    ("jdk.NativeMemoryUsage", |to, e| {
        let (reserved, committed) = (e.number("reserved")?, e.number("committed")?);
        let peak = to.native_peaks.entry(e.text("type")?.to_owned());
        let peak = peak.or_default();
        peak.reserved_bytes = peak.reserved_bytes.max(reserved);
        peak.committed_bytes = peak.committed_bytes.max(committed);
        Some(())
    }),
    // Counted as an event, and not read.
    ("jdk.NativeMemoryUsageTotal", |_, _| Some(())),
    ("jdk.ClassLoadingStatistics", |to, e| {
        let unloaded = e.number("unloadedClassCount")?;
        to.classes().loaded = e.number("loadedClassCount")?;
        to.classes().unloaded = unloaded;
        Some(())
    }),
    ("jdk.CPULoad", |to, e| {
        let share = e.share("jvmUser")? + e.share("jvmSystem")?;
        to.cpu = (to.cpu.0 + share, to.cpu.1 + 1);
        Some(())
    }),
    ("jdk.Compilation", |to, e| {
        add_time(&mut to.recording.compilations, e)
    }),
    ("jdk.ExceptionStatistics", |to, e| {
        to.recording.exceptions = Some(e.number("throwables")?);
        Some(())
    }),
    ("jdk.JavaMonitorEnter", |to, e| {
        add_time(&mut to.recording.monitor_waits, e)
    }),
    ("jdk.ThreadPark", |to, e| {
        add_time(&mut to.recording.parks, e)
    }),
];

/// Adds events up.
#[derive(Debug, Default)]
pub struct Summary {
    recording: FlightRecording,
    /// Nanoseconds since 1970.
    first: Option<u64>,
    last: u64,
    collections: BTreeMap<String, RecordedCollections>,
    samples: u64,
    bytes: u64,
    recorder_bytes: u64,
    /// By place and class.
    sites: HashMap<(Vec<String>, String), u64>,
    old: BTreeMap<(String, Vec<String>), (u64, u64)>,
    native_peaks: BTreeMap<String, NativeCategory>,
    cpu: (f64, u64),
}

impl Summary {
    /// Adds an event; `None` is a line that is none.
    pub fn add(&mut self, event: Option<&Event>) {
        let kind = event.and_then(|event| {
            let (kind, add) = KINDS.iter().find(|(kind, _)| *kind == event.kind)?;
            let at = event.number("startTime")?;
            add(self, event)?;
            self.first = Some(self.first.map_or(at, |first| first.min(at)));
            self.last = self.last.max(at);
            kind.strip_prefix("jdk.")
        });
        let kind = kind.unwrap_or("not understood").to_owned();
        *self.recording.events.entry(kind).or_default() += 1;
    }

    fn classes(&mut self) -> &mut RecordedClasses {
        self.recording.classes.get_or_insert_default()
    }

    fn allocated(&mut self, class: String, bytes: u64, frames: Vec<String>) {
        if frames.iter().any(|frame| frame.starts_with(RECORDER)) {
            self.recorder_bytes = self.recorder_bytes.saturating_add(bytes);
            return;
        }
        self.samples += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        let site = self.sites.entry((cut(frames), class)).or_default();
        *site = site.saturating_add(bytes);
    }

    /// What it adds up to.
    #[must_use]
    pub fn finish(self) -> FlightRecording {
        let named = self.collections.into_iter();
        let mut native_peaks: Vec<NativeCategory> = self
            .native_peaks
            .into_iter()
            .map(|(name, peak)| NativeCategory { name, ..peak })
            .collect();
        native_peaks.sort_by_key(|category| std::cmp::Reverse(category.committed_bytes));
        let (sum, looks) = self.cpu;
        FlightRecording {
            duration_s: self.first.map_or(0.0, |first| seconds(self.last - first)),
            collections: named
                .map(|(name, all)| RecordedCollections { name, ..all })
                .collect(),
            allocation: (self.samples > 0).then(|| Allocation {
                samples: self.samples,
                bytes: self.bytes,
                recorder_bytes: self.recorder_bytes,
                classes: classes(&self.sites, self.bytes),
                sites: sites(&self.sites, self.bytes),
            }),
            old_objects: old_objects(self.old),
            jvm_cpu_share: (looks > 0).then(|| sum / looks as f64),
            native_peaks,
            ..self.recording
        }
    }
}

type Sites = HashMap<(Vec<String>, String), u64>;

/// Shares of all that was allocated, the largest first.
fn classes(sites: &Sites, all: u64) -> Vec<AllocatedClass> {
    let mut by_class: BTreeMap<&String, u64> = BTreeMap::new();
    for ((_, class), bytes) in sites {
        let sum = by_class.entry(class).or_default();
        *sum = sum.saturating_add(*bytes);
    }
    let mut rows: Vec<(&String, u64)> = by_class.into_iter().collect();
    rows.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    rows.into_iter()
        .take(MOST)
        .map(|(name, bytes)| AllocatedClass {
            name: name.clone(),
            share: share(bytes, all),
        })
        .collect()
}

/// A place with the class that is allocated there most.
fn sites(sites: &Sites, all: u64) -> Vec<AllocationSite> {
    let mut by_place: BTreeMap<&Vec<String>, (u64, u64, &String)> = BTreeMap::new();
    for ((frames, class), bytes) in sites {
        let (sum, most, of) = by_place.entry(frames).or_insert((0, 0, class));
        *sum = sum.saturating_add(*bytes);
        if (*bytes, std::cmp::Reverse(class)) > (*most, std::cmp::Reverse(*of)) {
            (*most, *of) = (*bytes, class);
        }
    }
    let mut rows: Vec<_> = by_place.into_iter().collect();
    rows.sort_by_key(|(_, (bytes, ..))| std::cmp::Reverse(*bytes));
    rows.into_iter()
        .take(MOST)
        .map(|(frames, (bytes, _, class))| AllocationSite {
            frames: frames.clone(),
            class: class.clone(),
            share: share(bytes, all),
        })
        .collect()
}

fn old_objects(old: BTreeMap<(String, Vec<String>), (u64, u64)>) -> Vec<OldObjects> {
    let mut rows: Vec<OldObjects> = old
        .into_iter()
        .map(|((class, frames), (samples, age_ns))| OldObjects {
            class,
            frames,
            samples,
            age_s: seconds(age_ns),
        })
        .collect();
    rows.sort_by(|a, b| {
        let by_samples = b.samples.cmp(&a.samples);
        by_samples.then(b.age_s.total_cmp(&a.age_s))
    });
    rows.truncate(MOST);
    rows
}

fn cut(mut frames: Vec<String>) -> Vec<String> {
    frames.truncate(FRAMES);
    frames
}

fn add_time(time: &mut tacho_run_folder::RecordedTime, event: &Event) -> Option<()> {
    time.total_s += seconds(event.number("duration")?);
    time.count += 1;
    Some(())
}

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

fn share(bytes: u64, all: u64) -> f64 {
    bytes as f64 / all.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::is_end;
    use proptest::prelude::*;
    use serde_json::json;

    fn event(kind: &str, fields: serde_json::Value) -> Event {
        let line = json!({"event": kind, "fields": fields});
        Event::parse(&line.to_string()).unwrap()
    }

    fn allocation(class: &str, bytes: u64, frames: &[&str]) -> Event {
        event(
            "jdk.ObjectAllocationSample",
            json!({"startTime": 1_000_000_000, "objectClass": class, "weight": bytes, "stackTrace": frames}),
        )
    }

    fn summary(events: impl IntoIterator<Item = Event>) -> FlightRecording {
        let mut summary = Summary::default();
        events
            .into_iter()
            .for_each(|event| summary.add(Some(&event)));
        summary.finish()
    }

    #[test]
    fn places_have_their_share_and_the_recorder_has_none() {
        let said = summary([
            allocation("byte[]", 300, &["app.A.read:7", "app.Main.main:1"]),
            allocation("int[]", 100, &["app.A.read:7", "app.Main.main:1"]),
            allocation("byte[]", 100, &["app.B.write:3"]),
            allocation(
                "byte[]",
                9000,
                &["jdk.internal.X.y:1", "jdk.jfr.internal.Z.w:1"],
            ),
        ]);
        let allocation = said.allocation.unwrap();
        assert_eq!((allocation.samples, allocation.bytes), (3, 500));
        assert_eq!(allocation.recorder_bytes, 9000);
        let sites: Vec<_> = allocation
            .sites
            .iter()
            .map(|s| (s.frames[0].as_str(), s.class.as_str(), s.share))
            .collect();
        assert_eq!(
            sites,
            [
                ("app.A.read:7", "byte[]", 0.8),
                ("app.B.write:3", "byte[]", 0.2)
            ]
        );
        assert_eq!(allocation.classes[0].name, "byte[]");
        assert_eq!(allocation.classes[0].share, 0.8);
    }

    #[test]
    fn what_is_looked_at_again_and_again_has_its_last_and_its_highest_value() {
        let direct = |at: u64, used_bytes: u64| {
            event(
                "jdk.DirectBufferStatistics",
                json!({"startTime": at, "count": 2, "memoryUsed": used_bytes, "maxCapacity": 100}),
            )
        };
        let native = |category: &str, committed_bytes: u64| {
            event(
                "jdk.NativeMemoryUsage",
                json!({"startTime": 5, "type": category, "reserved": 90, "committed": committed_bytes}),
            )
        };
        let said = summary([
            direct(1, 70),
            direct(3_000_000_001, 30),
            native("GC", 5),
            native("Code", 9),
            native("Code", 7),
        ]);
        let direct = said.direct_buffers.unwrap();
        assert_eq!((direct.used_bytes, direct.highest_bytes), (30, 70));
        assert_eq!(said.duration_s, 3.0);
        let peaks: Vec<_> = said
            .native_peaks
            .iter()
            .map(|c| (c.name.as_str(), c.committed_bytes))
            .collect();
        assert_eq!(peaks, [("Code", 9), ("GC", 5)]);
        assert_eq!(said.events["NativeMemoryUsage"], 3);
        assert_eq!(said.allocation, None);
    }

    #[test]
    fn real_lines_of_jdk_17_and_25_are_all_understood() {
        for text in [
            include_str!("../tests/real/jdk17.jsonl"),
            include_str!("../tests/real/jdk25.jsonl"),
        ] {
            let events = text.lines().filter(|line| !is_end(line));
            let said = summary(events.map(|line| Event::parse(line).unwrap()));
            assert_eq!(said.events.get("not understood"), None);
            assert!(!said.collections.is_empty() && said.highest_heap_bytes > Some(1 << 20));
            let allocation = said.allocation.unwrap();
            assert!(
                allocation
                    .sites
                    .iter()
                    .any(|s| s.frames[0].starts_with("Alloc.main"))
            );
            assert!(
                said.direct_buffers
                    .is_some_and(|d| d.limit_bytes == 64 << 20)
            );
            assert!(
                said.classes
                    .is_some_and(|c| c.loaded > 1000 && c.metaspace_used_bytes.is_some())
            );
        }
    }

    proptest! {
        #[test]
        fn no_line_makes_the_reading_panic(
            kind in 0..KINDS.len(),
            value in "(null|-?[0-9]{1,20}|\"[A-Z/0x\\[]{0,9}\"|\\{\"used\":[0-9]{1,20},\"committed\":1,\"type\":\"x\"\\}|\\[\"a.b:1\",null\\])",
        ) {
            let names = ["startTime", "gcId", "name", "sumOfPauses", "longestPause", "duration", "when", "heapUsed", "heapSpace", "metaspace",
                "objectClass", "weight", "stackTrace", "object", "objectAge", "count", "memoryUsed", "maxCapacity", "type", "committed"];
            let fields: Vec<String> = names.iter().map(|name| format!("\"{name}\":{value}")).collect();
            let line = format!("{{\"event\":\"{}\",\"fields\":{{{}}}}}", KINDS[kind].0, fields.join(","));
            let mut summary = Summary::default();
            summary.add(Event::parse(&line).as_ref());
            let _ = summary.finish();
        }
    }
}

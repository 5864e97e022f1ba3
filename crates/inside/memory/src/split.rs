//! The split: every resident byte to one part.

use crate::nmt::{NativeMemory, Owned};
use crate::pages::Pages;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use tacho_observe::process::{Kind, Mapping};

/// Where the memory of a process is.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Memory {
    /// Version of this format.
    pub tacho: u32,
    /// Process id, as it was given.
    pub pid: u32,
    /// `native memory tracking`, `jvm` (its own word on the heap, the rest by mappings) or
    /// `mappings` alone.
    pub source: String,
    /// Its resident set as the kernel counts it, read after the mappings.
    pub rss_bytes: u64,
    /// The parts added up.
    pub sum_bytes: u64,
    /// All parts of the resident set, largest first.
    pub parts: Vec<Part>,
    /// The largest mappings of what is unexplained.
    pub unexplained: Vec<Unexplained>,
    /// The heap's own figures, where there is a JVM.
    pub heap: Option<Heap>,
    /// What could not be found out, and how it can be.
    pub notes: Vec<String>,
}

/// One part of the resident set.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Part {
    /// `live heap`, `code cache`, ...
    pub name: String,
    /// What of it is resident, in bytes.
    pub bytes: u64,
    /// Share of the sum of all parts, 0 to 1.
    pub share: f64,
    /// What it is, for people.
    pub meaning: String,
}

/// A mapping of memory that no known part owns.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Unexplained {
    /// First address, hexadecimal.
    pub start: String,
    /// First address after it.
    pub end: String,
    /// What of it is resident, in bytes.
    pub bytes: u64,
}

/// The Java heap, as the JVM and the mappings show it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, JsonSchema)]
pub struct Heap {
    /// Committed: may be used without asking the kernel again.
    pub committed_bytes: Option<u64>,
    /// In use, garbage included.
    pub used_bytes: Option<u64>,
    /// Live objects after a full collection, in bytes; null unless that was asked for.
    pub live_bytes: Option<u64>,
    /// What of the heap is resident, in bytes.
    pub resident_bytes: u64,
}

/// Names and meanings, in the order of the table's explanation.
const MEANINGS: &[(&str, &str)] = &[
    ("live heap", "objects that a full collection leaves"),
    (
        "garbage slack",
        "used heap that the next full collection frees",
    ),
    (
        "used heap",
        "objects, alive or not: --live tells them apart, by a full collection",
    ),
    ("unused heap", "committed and once touched, empty now"),
    (
        "heap",
        "the Java heap; how much of it is in use is not known",
    ),
    ("metaspace", "classes' metadata"),
    ("class archive", "CDS or AOT archive"),
    ("code cache", "compiled code"),
    ("thread stacks", "what the threads' stacks have touched"),
    (
        "collector",
        "card tables, mark bitmaps, remembered sets, task queues",
    ),
    ("compiler", "working memory of the JIT compilers"),
    (
        "direct buffers",
        "ByteBuffer.allocateDirect and Unsafe.allocateMemory",
    ),
    ("jvm's own", "symbols, modules, internal tables"),
    (
        "instruments",
        "what native memory tracking and the flight recorder hold themselves",
    ),
    ("mapped files", "jars, lib/modules, MappedByteBuffer"),
    ("programs", "executables and libraries"),
    ("shared memory", "without a file, or below /dev/shm"),
    (
        "libc",
        "freed and kept by malloc, or allocated by native libraries",
    ),
    (
        "native allocations",
        "malloc and all other anonymous memory: the JVM tells them apart with -XX:NativeMemoryTracking=detail",
    ),
    (
        "unexplained",
        "anonymous memory that neither the JVM nor libc's shape accounts for",
    ),
];

const UNEXPLAINED: &str = "unexplained";
const SHOWN_MAPPINGS: usize = 8;

/// What a range is for, in the words of Native Memory Tracking.
fn by_purpose(purpose: &str) -> &'static str {
    match purpose {
        "Java Heap" => HEAP,
        "Shared class space" => "class archive",
        "Code" => "code cache",
        "Thread Stack" | "Thread" => "thread stacks",
        _ => by_category(purpose),
    }
}

/// The part that a malloc category belongs to. Tables for compiled code are not code, and the
/// bookkeeping of metadata counts as metadata.
fn by_category(category: &str) -> &'static str {
    match category {
        "Class" | "Metaspace" => "metaspace",
        "GC" | "GCCardSet" => "collector",
        "Compiler" | "Arena Chunk" => "compiler",
        "Other" => "direct buffers",
        "Native Memory Tracking" | "Tracing" => "instruments",
        _ => "jvm's own",
    }
}

const HEAP: &str = "heap";
const USED: &str = "used heap";

fn by_kind(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::JavaHeap => HEAP,
        Kind::ClassSpace => "metaspace",
        Kind::ClassArchive => "class archive",
        Kind::CodeCache => "code cache",
        Kind::Program => "programs",
        Kind::MappedFile => "mapped files",
        Kind::Stack => "thread stacks",
        Kind::Shared => "shared memory",
        Kind::Libc | Kind::Other => return None,
    })
}

/// What was read.
pub(crate) struct Readings<'a> {
    pub pid: u32,
    pub mappings: &'a [Mapping<'a>],
    pub kinds: &'a [Kind],
    pub native: Option<&'a NativeMemory>,
    pub pages: Option<&'a Pages>,
    pub heap: Option<Heap>,
    pub rss_bytes: u64,
    pub source: &'static str,
    pub notes: Vec<String>,
}

/// Assigns the JVM's ranges to the mappings.
pub(crate) fn split(readings: Readings<'_>) -> Memory {
    let mut parts: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut add = |name: &'static str, bytes: u64| {
        let sum = parts.entry(name).or_default();
        *sum = sum.saturating_add(bytes);
    };
    // Anonymous memory without a range. `libc` is recognised by its shape; `other` is the rest,
    // where malloc puts large blocks.
    let (mut libc, mut other) = (0_u64, 0_u64);
    let mut unclaimed: Vec<(&Mapping<'_>, u64)> = Vec::new();
    for (mapping, kind) in readings.mappings.iter().zip(readings.kinds) {
        let resident = mapping.sizes.rss_bytes;
        if resident == 0 {
            continue;
        }
        let mut left = resident;
        for (owner, bytes) in owners(mapping, readings.native, readings.pages) {
            let bytes = bytes.min(left);
            left -= bytes;
            add(by_purpose(&owner.purpose), bytes);
        }
        match by_kind(*kind) {
            Some(name) => add(name, left),
            None if *kind == Kind::Libc => libc += left,
            None if left > 0 => {
                other += left;
                unclaimed.push((mapping, left));
            }
            None => {}
        }
    }
    let anonymous = libc + other;
    match readings.native {
        Some(native) => {
            let mut malloc: BTreeMap<&'static str, u64> = BTreeMap::new();
            for (category, bytes) in &native.malloc {
                *malloc.entry(by_category(category)).or_default() += bytes;
            }
            let rest = spread(malloc, libc, other, &mut add);
            add("libc", rest.libc);
            add(UNEXPLAINED, rest.other);
        }
        None => add("native allocations", anonymous),
    }
    let heap = readings.heap.map(|heap| Heap {
        resident_bytes: parts.get(HEAP).copied().unwrap_or(0),
        live_bytes: None,
        ..heap
    });
    if let Some(heap) = heap
        && let Some(resident) = parts.remove(HEAP)
    {
        for (name, bytes) in of_heap(&heap, resident) {
            parts.insert(name, bytes);
        }
    }
    unclaimed.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    let is_unexplained = parts.get(UNEXPLAINED).is_some_and(|bytes| *bytes > 0);
    let sum_bytes: u64 = parts.values().sum();
    let mut parts: Vec<Part> = parts
        .into_iter()
        .filter(|(name, bytes)| *bytes > 0 || *name == UNEXPLAINED)
        .map(|(name, bytes)| part(name, bytes, sum_bytes))
        .collect();
    largest_first(&mut parts);
    Memory {
        tacho: 1,
        pid: readings.pid,
        source: readings.source.to_owned(),
        rss_bytes: readings.rss_bytes,
        sum_bytes,
        parts,
        unexplained: unclaimed
            .into_iter()
            .filter(|_| is_unexplained)
            .take(SHOWN_MAPPINGS)
            .map(|(mapping, bytes)| Unexplained {
                start: format!("{:#x}", mapping.start),
                end: format!("{:#x}", mapping.end),
                bytes,
            })
            .collect(),
        heap,
        notes: readings.notes,
    }
}

impl Memory {
    /// Splits the used heap into live objects and garbage. Does nothing if the used size is not
    /// known.
    pub(crate) fn tell_alive(&mut self, live_bytes: u64) {
        let Some(heap) = &mut self.heap else {
            return;
        };
        heap.live_bytes = Some(live_bytes);
        let Some(place) = self.parts.iter().position(|part| part.name == USED) else {
            return;
        };
        let used = self.parts.remove(place).bytes;
        let live = live_bytes.min(used);
        for (name, bytes) in [("live heap", live), ("garbage slack", used - live)] {
            if bytes > 0 {
                self.parts.push(part(name, bytes, self.sum_bytes));
            }
        }
        largest_first(&mut self.parts);
    }
}

fn part(name: &str, bytes: u64, sum_bytes: u64) -> Part {
    let meaning = MEANINGS.iter().find(|(known, _)| *known == name);
    Part {
        name: name.to_owned(),
        bytes,
        share: bytes as f64 / sum_bytes.max(1) as f64,
        meaning: meaning.map_or_else(String::new, |(_, meaning)| (*meaning).to_owned()),
    }
}

/// Largest first, but memory without an owner always last.
fn largest_first(parts: &mut [Part]) {
    parts.sort_by_key(|part| (part.name == UNEXPLAINED, std::cmp::Reverse(part.bytes)));
}

/// The ranges within a mapping, each with its resident bytes. There may be several, because the
/// kernel merges neighbouring mappings.
fn owners<'a>(
    mapping: &Mapping<'_>,
    native: Option<&'a NativeMemory>,
    pages: Option<&Pages>,
) -> Vec<(&'a Owned, u64)> {
    let Some(native) = native else {
        return Vec::new();
    };
    let first = native
        .ranges
        .partition_point(|range| range.end <= mapping.start);
    native
        .ranges
        .iter()
        .skip(first)
        .take_while(|range| range.start < mapping.end)
        .map(|range| {
            let (start, end) = (range.start.max(mapping.start), range.end.min(mapping.end));
            if (start, end) == (mapping.start, mapping.end) {
                return (range, mapping.sizes.rss_bytes);
            }
            let counted = pages.and_then(|pages| pages.resident(start, end).ok());
            // Without the rights to read page tables, assume that resident pages are spread evenly.
            let even = mapping.sizes.rss_bytes as f64 * (end - start) as f64
                / mapping.length().max(1) as f64;
            (range, counted.unwrap_or(even as u64))
        })
        .collect()
}

struct Rest {
    libc: u64,
    other: u64,
}

/// Assigns memory allocated by malloc to libc's memory and to the other anonymous memory. libc maps
/// large blocks one by one, and direct buffers are usually large. Memory that was allocated but
/// never touched is not resident, so no more is assigned than there is room.
fn spread(
    mut malloc: BTreeMap<&'static str, u64>,
    mut libc: u64,
    mut other: u64,
    add: &mut impl FnMut(&'static str, u64),
) -> Rest {
    let direct = malloc.remove("direct buffers").unwrap_or(0);
    let in_other = direct.min(other);
    let in_libc = (direct - in_other).min(libc);
    add("direct buffers", in_other + in_libc);
    other -= in_other;
    libc -= in_libc;
    let jvm: u64 = malloc.values().sum();
    let in_libc = jvm.min(libc);
    let in_other = (jvm - in_libc).min(other);
    let laid = in_libc + in_other;
    let mut rounded = 0;
    for (name, bytes) in malloc {
        // If there is not enough room, every category gets its proportion.
        let part = (u128::from(bytes) * u128::from(laid) / u128::from(jvm.max(1))) as u64;
        rounded += part;
        add(name, part);
    }
    add("jvm's own", laid - rounded);
    Rest {
        libc: libc - in_libc,
        other: other - in_other,
    }
}

fn of_heap(heap: &Heap, resident: u64) -> Vec<(&'static str, u64)> {
    let Some(used) = heap.used_bytes else {
        return vec![(HEAP, resident)];
    };
    let used = used.min(resident);
    vec![(USED, used), ("unused heap", resident - used)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nmt;
    use tacho_observe::process::{KnownRanges, kinds, parse_smaps};

    fn smaps(lines: &[(&str, u64)]) -> String {
        lines
            .iter()
            .map(|(head, kib)| format!("{head}\nRss: {kib} kB\n"))
            .collect()
    }

    fn memory(smaps: &str, native: Option<&NativeMemory>, heap: Option<Heap>) -> Memory {
        let mappings = parse_smaps(smaps);
        let kinds = kinds(&mappings, &KnownRanges::default());
        split(Readings {
            pid: 1,
            mappings: &mappings,
            kinds: &kinds,
            native,
            pages: None,
            heap,
            rss_bytes: 0,
            source: "test",
            notes: Vec::new(),
        })
    }

    fn kib(memory: &Memory) -> Vec<(&str, u64)> {
        memory
            .parts
            .iter()
            .map(|p| (p.name.as_str(), p.bytes >> 10))
            .collect()
    }

    const MAPS: &[(&str, u64)] = &[
        ("f0000000-100000000 rw-p 0 00:00 0 ", 100_000),
        ("563182345000-563182f8c000 rw-p 0 00:00 0    [heap]", 1000),
        ("7f2400000000-7f2400200000 rw-p 0 00:00 0 ", 2000),
        ("7f2500100000-7f2504000000 rw-p 0 00:00 0 ", 50_000),
        ("7f2600000000-7f2600100000 r-xp 0 fe:00 3    /bin/java", 300),
    ];

    fn native() -> NativeMemory {
        nmt::parse(
            "Native Memory Tracking:\n\
             -  GC (reserved=1KB, committed=1KB)\n (malloc=400KB #1)\n\
             -  Other (reserved=1KB, committed=1KB)\n (malloc=40000KB #1)\n\
             [0x00000000f0000000 - 0x0000000100000000] reserved 262144KB for Java Heap from\n\
             [0x00007f2400000000 - 0x00007f2400100000] reserved 1024KB for GC from\n\
             [0x00007f2400100000 - 0x00007f2400200000] reserved 1024KB for Code from\n",
        )
        .unwrap()
    }

    #[test]
    fn every_resident_byte_has_one_owner() {
        let heap = Heap {
            used_bytes: Some(80_000 << 10),
            ..Heap::default()
        };
        let mut memory = memory(&smaps(MAPS), Some(&native()), Some(heap));
        memory.tell_alive(30_000 << 10);
        assert_eq!(
            kib(&memory),
            [
                ("garbage slack", 50_000),
                ("direct buffers", 40_000),
                ("live heap", 30_000),
                ("unused heap", 20_000),
                // Half of the merged mapping, and what malloc gave it.
                ("collector", 1400),
                ("code cache", 1000),
                ("libc", 600),
                ("programs", 300),
                ("unexplained", 10_000),
            ]
        );
        let all: u64 = MAPS.iter().map(|(_, kib)| kib << 10).sum();
        assert_eq!(memory.sum_bytes, all);
        assert_eq!(memory.unexplained.len(), 1);
        assert_eq!(memory.unexplained[0].start, "0x7f2500100000");
    }

    #[test]
    fn what_was_allocated_and_never_touched_is_not_laid_where_there_is_no_room() {
        let small = smaps(&[("563182345000-563182f8c000 rw-p 0 00:00 0    [heap]", 100)]);
        let memory = memory(&small, Some(&native()), None);
        assert_eq!(memory.sum_bytes, 100 << 10);
    }

    #[test]
    fn without_tracking_native_memory_is_one_part() {
        let memory = memory(&smaps(MAPS), None, None);
        assert_eq!(
            kib(&memory),
            [("native allocations", 153_000), ("programs", 300)]
        );
    }

    #[test]
    fn the_json_is_an_interface() {
        let memory = memory(&smaps(&MAPS[..1]), None, Some(Heap::default()));
        let json = serde_json::to_string(&memory).unwrap();
        assert_eq!(
            json,
            r#"{"tacho":1,"pid":1,"source":"test","rss_bytes":0,"sum_bytes":102400000,"parts":[{"name":"native allocations","bytes":102400000,"share":1.0,"meaning":"malloc and all other anonymous memory: the JVM tells them apart with -XX:NativeMemoryTracking=detail"}],"unexplained":[],"heap":{"committed_bytes":null,"used_bytes":null,"live_bytes":null,"resident_bytes":0},"notes":[]}"#
        );
    }
}

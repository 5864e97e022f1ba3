//! What Native Memory Tracking says (`jcmd PID VM.native_memory detail`; JDK 17 to 25).

use std::collections::BTreeMap;
use tacho_run_folder::{NativeCategory, NativeReport};

/// A range of addresses that the JVM has reserved for a purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owned {
    /// First address of the range.
    pub start: u64,
    /// First address after it.
    pub end: u64,
    /// `Java Heap`, `Thread Stack`, `GC`, ...
    pub purpose: String,
}

/// All of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NativeMemory {
    /// In ascending order, without overlaps.
    pub ranges: Vec<Owned>,
    /// Bytes allocated by malloc, arenas included, by category: `GC`, `Other`, ...
    pub malloc: BTreeMap<String, u64>,
    /// Reserved and committed memory by category. Also available with tracking of `summary`, which
    /// has no addresses.
    pub report: NativeReport,
}

impl NativeMemory {
    /// Everything allocated by malloc.
    #[must_use]
    pub fn malloc_bytes(&self) -> u64 {
        self.malloc.values().fold(0, |a, b| a.saturating_add(*b))
    }
}

/// Parses what the JVM prints; `None` when it is no report (tracking is off, say).
#[must_use]
pub fn parse(text: &str) -> Option<NativeMemory> {
    if !text.contains("Native Memory Tracking:") {
        return None;
    }
    let mut memory = NativeMemory::default();
    let mut category: Option<&str> = None;
    for line in text.lines() {
        if let Some(range) = range(line) {
            category = None;
            memory.ranges.push(range);
        } else if let Some(found) = category_of(line) {
            category = Some(found.0);
            memory.report.categories.push(found.1);
        } else if let Some((reserved, committed)) = line.strip_prefix("Total: ").and_then(sizes) {
            memory.report.reserved_bytes = reserved;
            memory.report.committed_bytes = committed;
        } else if line.trim().is_empty() {
            // A category ends with an empty line, which JDK 17 begins with a blank.
        } else if let Some(name) = category
            && let Some(bytes) = allocated(line)
        {
            let sum = memory.malloc.entry(name.to_owned()).or_default();
            *sum = sum.saturating_add(bytes);
        }
    }
    memory.ranges.sort_by_key(|range| (range.start, range.end));
    // If two ranges overlap, the inner one is more precise.
    let mut inner: Vec<Owned> = Vec::with_capacity(memory.ranges.len());
    for range in memory.ranges {
        insert(&mut inner, range);
    }
    memory.ranges = inner;
    let by_size = |c: &NativeCategory| std::cmp::Reverse(c.committed_bytes);
    memory.report.categories.sort_by_key(by_size);
    Some(memory)
}

/// Inserts a range; ranges come in order of their start. The new range is cut out of the ranges
/// that contain it.
fn insert(ranges: &mut Vec<Owned>, new: Owned) {
    let mut after = Vec::new();
    while let Some(last) = ranges.last_mut().filter(|last| last.end > new.start) {
        if last.end > new.end {
            after.push(Owned {
                start: new.end.max(last.start),
                ..last.clone()
            });
        }
        last.end = new.start;
        if last.start < last.end {
            break;
        }
        ranges.pop();
    }
    ranges.push(new);
    ranges.extend(after.into_iter().rev());
}

// -                 Java Heap (reserved=262144KB, committed=30720KB)
fn category_of(line: &str) -> Option<(&str, NativeCategory)> {
    let (name, figures) = line.strip_prefix('-')?.split_once(" (")?;
    let (reserved_bytes, committed_bytes) = sizes(figures)?;
    let name = name.trim();
    let category = NativeCategory {
        name: name.to_owned(),
        reserved_bytes,
        committed_bytes,
    };
    Some((name, category))
}

// reserved=262144KB, committed=30720KB
fn sizes(text: &str) -> Option<(u64, u64)> {
    let (reserved, rest) = text.strip_prefix("reserved=")?.split_once(", ")?;
    Some((bytes(reserved)?, bytes(rest.strip_prefix("committed=")?)?))
}

// (malloc=77KB #584) (at peak)     and     (arena=22KB #38)     and     (tracking overhead=114KB)
fn allocated(line: &str) -> Option<u64> {
    let line = line.trim_start();
    ["(malloc=", "(arena=", "(tracking overhead="]
        .iter()
        .find_map(|key| bytes(line.strip_prefix(key)?))
}

/// A number and its unit, at the beginning of a text.
fn bytes(text: &str) -> Option<u64> {
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let factor = match unit.as_bytes() {
        [b'K', ..] => 1 << 10,
        [b'M', ..] => 1 << 20,
        [b'G', ..] => 1 << 30,
        _ => 1,
    };
    number.parse::<u64>().ok()?.checked_mul(factor)
}

// [0x00000000f0000000 - 0x0000000100000000] reserved 262144KB for Java Heap from
// What is committed of it follows, indented: which pages are resident the kernel knows better.
fn range(line: &str) -> Option<Owned> {
    let (range, rest) = line.strip_prefix("[0x")?.split_once(']')?;
    let (start, end) = range.split_once(" - 0x")?;
    if !rest.trim_start().starts_with("reserved") {
        return None;
    }
    let (_, purpose) = rest.split_once(" for ")?;
    let purpose = purpose.strip_suffix(" from").unwrap_or(purpose).trim();
    let owned = Owned {
        start: u64::from_str_radix(start, 16).ok()?,
        end: u64::from_str_radix(end, 16).ok()?,
        purpose: purpose.to_owned(),
    };
    (owned.start < owned.end).then_some(owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const OF_17: &str = "26872:

Native Memory Tracking:

Total: reserved=1711222KB, committed=93314KB
       malloc: 7838KB #7324
       mmap:   reserved=1703384KB, committed=85476KB

-                 Java Heap (reserved=262144KB, committed=30720KB)
                            (mmap: reserved=262144KB, committed=30720KB) 
 
-                    Thread (reserved=20533KB, committed=881KB)
                            (thread #20)
                            (stack: reserved=20480KB, committed=828KB)
                            (malloc=31KB #124) (peak=39KB #128) 
                            (arena=22KB #38) (peak=52KB #36)
 
-    Native Memory Tracking (reserved=292KB, committed=292KB)
                            (malloc=178KB #2088) (at peak) 
                            (tracking overhead=114KB)

Virtual memory map:
 
[0x00000000f0000000 - 0x0000000100000000] reserved 262144KB for Java Heap from
    [0x00007f2483d1a27c] ReservedSpace::reserve(unsigned long)+0xac

	[0x00000000f0000000 - 0x00000000f1700000] committed 23552KB from
            [0x00007f2483532e26] G1PageBasedVirtualSpace::commit(unsigned long, unsigned long)+0x66

[0x00007f24802c0000 - 0x00007f24803c0000] reserved and committed 1024KB for Thread Stack from
";

    #[test]
    fn ranges_and_malloc_are_read() {
        let memory = parse(OF_17).unwrap();
        let malloc: Vec<_> = memory
            .malloc
            .iter()
            .map(|(n, b)| (n.as_str(), b >> 10))
            .collect();
        assert_eq!(malloc, [("Native Memory Tracking", 292), ("Thread", 53)]);
        let ranges: Vec<_> = memory
            .ranges
            .iter()
            .map(|r| (r.start, r.end - r.start, r.purpose.as_str()))
            .collect();
        assert_eq!(
            ranges,
            [
                (0xf000_0000, 256 << 20, "Java Heap"),
                (0x7f24_802c_0000, 1 << 20, "Thread Stack")
            ]
        );
        assert_eq!(
            parse("26872:\nNative memory tracking is not enabled\n"),
            None
        );
    }

    #[test]
    fn of_two_ranges_the_inner_one_counts() {
        let range = |start, end, purpose: &str| {
            format!("[0x{start:016x} - 0x{end:016x}] reserved 4KB for {purpose} from\n")
        };
        let text = format!(
            "Native Memory Tracking:\n{}{}{}",
            range(0, 100, "Class"),
            range(20, 40, "Shared class space"),
            range(90, 120, "GC")
        );
        let seen: Vec<_> = parse(&text)
            .unwrap()
            .ranges
            .into_iter()
            .map(|r| (r.start, r.end, r.purpose))
            .collect();
        assert_eq!(
            seen,
            [
                (0, 20, "Class".to_owned()),
                (20, 40, "Shared class space".to_owned()),
                (40, 90, "Class".to_owned()),
                (90, 120, "GC".to_owned())
            ]
        );
    }

    #[test]
    fn the_categories_of_jdk_17_and_25_add_up_to_what_they_say_themselves() {
        for text in [
            include_str!("../tests/real/jdk17-native-memory.txt"),
            include_str!("../tests/real/jdk25-native-memory.txt"),
        ] {
            let report = parse(text).unwrap().report;
            let sum =
                |of: fn(&NativeCategory) -> u64| -> u64 { report.categories.iter().map(of).sum() };
            // Each is rounded to a KiB, and categories below one are left out.
            let near = |a: u64, b: u64| a.abs_diff(b) <= 64 << 10;
            assert!(
                near(sum(|c| c.committed_bytes), report.committed_bytes),
                "{report:?}"
            );
            assert!(
                near(sum(|c| c.reserved_bytes), report.reserved_bytes),
                "{report:?}"
            );
            let heap = &report.categories[0];
            assert_eq!(
                (heap.name.as_str(), heap.committed_bytes),
                ("Java Heap", 64 << 20)
            );
            let other = report
                .categories
                .iter()
                .find(|c| c.name == "Other")
                .unwrap();
            assert_eq!(other.committed_bytes, 1 << 20);
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(
            text in "(- {0,3}[A-Z]{0,3} \\(reserved=\n|\\((malloc|arena)=[0-9]{0,22}[KMG]?B?\n|\\[0x[0-9a-f]{0,3} - 0x[0-9a-f]{0,18}\\] reserved 1KB for [A-C]{0,2} from\n|\\PC{0,20}\n){0,9}",
        ) {
            let memory = parse(&format!("Native Memory Tracking:\n{text}")).unwrap();
            prop_assert!(memory.ranges.windows(2).all(|w| w[0].end <= w[1].start));
            let _ = memory.malloc_bytes();
        }
    }
}

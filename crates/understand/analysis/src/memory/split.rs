//! Where the memory is, as far as a measured launch says it: the mappings by kind (`memory.csv`),
//! the heap and metaspace by the JVM's own counters (`jvm.csv`), and what the last collection of
//! old garbage left alive.
//!
//! Nothing here asks the JVM. What only Native Memory Tracking can tell apart (the collector's own
//! memory, the compiler's, direct buffers) stays together as unexplained; a diagnosis launch
//! (`diagnose: memory`) or `tacho memory PID` tells it.

use super::History;
use tacho_run_folder::{
    JvmSample, LaunchData, LaunchOutcome, MemoryPart, MemorySample, MemorySplit,
};

/// In the order in which parts of the same size would be shown.
const MEANINGS: [(&str, &str); 13] = [
    (
        "live heap",
        "what the last collection of old garbage left: an upper bound of what is alive",
    ),
    (
        "garbage slack",
        "used heap beyond that: garbage that waits for its collection, and what was allocated since",
    ),
    (
        "used heap",
        "alive or garbage: no collection of old garbage has told them apart",
    ),
    ("unused heap", "committed and once touched, empty now"),
    ("metaspace", "classes and their methods"),
    ("class archive", "a mapped CDS or AOT archive"),
    ("code cache", "compiled code"),
    ("thread stacks", "what the stacks have touched"),
    ("mapped files", "jars, the JDK's modules, fonts"),
    ("programs", "executables and libraries"),
    (
        "shared memory",
        "memory without a file that others may share",
    ),
    ("libc", "malloc's heap and arenas"),
    (
        UNEXPLAINED,
        "the collector's and the compiler's own memory, direct buffers, and what malloc maps piece by piece: native memory tracking tells them apart (`diagnose: memory`, or `tacho memory PID`)",
    ),
];
const UNEXPLAINED: &str = "unexplained";

/// The mean over the completed launches whose mappings were read.
#[must_use]
pub fn of_launches(launches: &[&LaunchData]) -> Option<MemorySplit> {
    let splits: Vec<(u32, Vec<(&str, f64)>)> = launches
        .iter()
        .filter(|l| l.record.outcome == LaunchOutcome::Completed)
        .filter_map(|l| Some((l.record.number, of_launch(l)?)))
        .collect();
    if splits.is_empty() {
        return None;
    }
    let mean = |name: &str| {
        let all = splits.iter().flat_map(|(_, parts)| parts);
        let sum: f64 = all
            .filter(|(n, _)| *n == name)
            .map(|(_, bytes)| bytes)
            .sum();
        sum / splits.len() as f64
    };
    let mut parts: Vec<MemoryPart> = MEANINGS
        .iter()
        .map(|(name, meaning)| MemoryPart {
            name: (*name).to_owned(),
            bytes: mean(name).round(),
            meaning: (*meaning).to_owned(),
        })
        .filter(|part| part.bytes > 0.0)
        .collect();
    // What has no owner comes last, however large.
    parts.sort_by(|a, b| {
        let key = |part: &MemoryPart| part.name == UNEXPLAINED;
        key(a).cmp(&key(b)).then(b.bytes.total_cmp(&a.bytes))
    });
    Some(MemorySplit {
        launches: splits.iter().map(|(launch, _)| *launch).collect(),
        rss_bytes: parts.iter().map(|part| part.bytes).sum(),
        parts,
    })
}

/// At the last line of `memory.csv` within the load; the parts add up to its resident set.
fn of_launch(launch: &LaunchData) -> Option<Vec<(&'static str, f64)>> {
    let phases = launch.record.phases.iter();
    let end_ms = phases
        .map(|p| p.started_ms + p.duration_s * 1e3)
        .fold(0.0, f64::max);
    // Lines come once a second: the first one after the end still shows what the load has left.
    let memory = launch
        .memory
        .iter()
        .filter(|s| s.rss_bytes.is_some())
        .take_while(|s| s.at_ms <= end_ms + 1000.0)
        .last()?;
    let jvm = launch.jvm.iter().rfind(|s| s.at_ms <= memory.at_ms);
    let history = History::of_launch(launch);
    let live = history
        .heap
        .floor()
        .iter()
        .rfind(|p| p.at_s * 1e3 <= memory.at_ms)
        .map(|p| p.value);
    Some(parts(memory, jvm, live))
}

fn parts(
    memory: &MemorySample,
    jvm: Option<&JvmSample>,
    live: Option<f64>,
) -> Vec<(&'static str, f64)> {
    let bytes = |cell: Option<u64>| cell.unwrap_or(0) as f64;
    let mut rest = Rest(bytes(memory.other_bytes));
    // Where the place of the heap is not known, its memory is among that without a known owner.
    let used = jvm
        .and_then(|s| s.heap_used_bytes)
        .map(|bytes| bytes as f64);
    let heap = match memory.java_heap_bytes {
        Some(heap) => heap as f64,
        None => rest.take(used.or(live).unwrap_or(0.0)),
    };
    let used = used.unwrap_or(heap).min(heap);
    let mut parts = match live {
        Some(live) => {
            let live = live.min(used);
            vec![("live heap", live), ("garbage slack", used - live)]
        }
        None => vec![("used heap", used)],
    };
    parts.push(("unused heap", heap - used));
    let metaspace = jvm.map_or(0.0, |s| bytes(s.metaspace_capacity_bytes));
    let metaspace = match memory.class_space_bytes {
        // The rest of metaspace is anonymous; what is committed has been touched.
        Some(class_space) => {
            let of_classes = jvm.map_or(0.0, |s| bytes(s.class_space_capacity_bytes));
            class_space as f64 + rest.take(metaspace - of_classes)
        }
        None => rest.take(metaspace),
    };
    parts.extend([
        ("metaspace", metaspace),
        ("class archive", bytes(memory.class_archive_bytes)),
        ("code cache", bytes(memory.code_cache_bytes)),
        ("thread stacks", bytes(memory.stack_bytes)),
        ("mapped files", bytes(memory.mapped_file_bytes)),
        ("programs", bytes(memory.program_bytes)),
        ("shared memory", bytes(memory.shared_bytes)),
        ("libc", bytes(memory.libc_bytes)),
        (UNEXPLAINED, rest.0),
    ]);
    parts
}

/// Anonymous memory whose owner is not known yet.
struct Rest(f64);

impl Rest {
    fn take(&mut self, bytes: f64) -> f64 {
        let taken = bytes.clamp(0.0, self.0);
        self.0 -= taken;
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn memory() -> MemorySample {
        MemorySample {
            at_ms: 5000.0,
            rss_bytes: Some(300 * MIB),
            java_heap_bytes: Some(120 * MIB),
            class_space_bytes: Some(4 * MIB),
            class_archive_bytes: Some(16 * MIB),
            code_cache_bytes: Some(20 * MIB),
            program_bytes: Some(18 * MIB),
            mapped_file_bytes: Some(2 * MIB),
            stack_bytes: Some(3 * MIB),
            libc_bytes: Some(17 * MIB),
            shared_bytes: Some(0),
            other_bytes: Some(100 * MIB),
            ..MemorySample::default()
        }
    }

    fn jvm() -> JvmSample {
        JvmSample {
            heap_used_bytes: Some(90 * MIB),
            heap_capacity_bytes: Some(128 * MIB),
            metaspace_capacity_bytes: Some(40 * MIB),
            class_space_capacity_bytes: Some(5 * MIB),
            ..JvmSample::default()
        }
    }

    fn mib(parts: &[(&'static str, f64)]) -> Vec<(&'static str, f64)> {
        parts
            .iter()
            .map(|(name, bytes)| (*name, bytes / MIB as f64))
            .filter(|(_, mib)| *mib > 0.0)
            .collect()
    }

    #[test]
    fn the_parts_of_a_jvm_add_up_to_its_resident_set() {
        let parts = parts(&memory(), Some(&jvm()), Some(60.0 * MIB as f64));
        assert_eq!(
            mib(&parts),
            [
                ("live heap", 60.0),
                ("garbage slack", 30.0),
                ("unused heap", 30.0),
                ("metaspace", 39.0),
                ("class archive", 16.0),
                ("code cache", 20.0),
                ("thread stacks", 3.0),
                ("mapped files", 2.0),
                ("programs", 18.0),
                ("libc", 17.0),
                (UNEXPLAINED, 65.0),
            ]
        );
        let sum: f64 = parts.iter().map(|(_, bytes)| bytes).sum();
        assert_eq!(sum, (300 * MIB) as f64);
    }

    #[test]
    fn a_heap_whose_place_is_not_known_is_taken_from_what_nobody_owns() {
        let unknown = MemorySample {
            java_heap_bytes: None,
            class_space_bytes: None,
            other_bytes: Some(220 * MIB),
            ..memory()
        };
        let parts = mib(&parts(&unknown, Some(&jvm()), None));
        assert!(parts.contains(&("used heap", 90.0)), "{parts:?}");
        assert!(parts.contains(&("metaspace", 40.0)), "{parts:?}");
        assert!(parts.contains(&(UNEXPLAINED, 90.0)), "{parts:?}");
    }

    #[test]
    fn a_native_image_shows_what_its_last_full_collection_left() {
        let image = MemorySample {
            java_heap_bytes: None,
            class_space_bytes: None,
            ..memory()
        };
        let parts = mib(&parts(&image, None, Some(40.0 * MIB as f64)));
        assert!(parts.contains(&("live heap", 40.0)), "{parts:?}");
        assert!(parts.contains(&(UNEXPLAINED, 60.0)), "{parts:?}");
    }

    #[test]
    fn nothing_is_larger_than_what_is_resident() {
        let small = MemorySample {
            java_heap_bytes: Some(50 * MIB),
            other_bytes: Some(10 * MIB),
            ..memory()
        };
        let parts = parts(&small, Some(&jvm()), Some(70.0 * MIB as f64));
        assert!(parts.iter().all(|(_, bytes)| *bytes >= 0.0));
        assert_eq!(mib(&parts)[0], ("live heap", 50.0));
    }
}

//! What the memory of a made-up variant shows.

use super::diagnosis::diagnosis;
use tacho_run_folder::MemoryPattern::*;
use tacho_run_folder::{
    CellMemory, EvidenceSeries, LaunchData, LaunchOutcome, MemoryFigure, MemoryFinding, MemoryPart,
    MemoryPattern, MemorySplit, NotTold,
};

const MIB: f64 = 1_048_576.0;

pub fn memory(variant: &str, launches: &[&LaunchData]) -> CellMemory {
    let numbers: Vec<u32> = launches.iter().map(|l| l.record.number).collect();
    let is_native = variant == "native";
    CellMemory {
        launches: numbers.len() as u32,
        findings: match variant {
            "jar" => vec![metaspace(&numbers)],
            _ => Vec::new(),
        },
        absent: [SawTooth, Thrashing, OversizedHeap]
            .map(Into::into)
            .to_vec(),
        not_told: if is_native {
            let reason = "the JVM's counters are missing: there is no JVM, or it runs with `-XX:-UsePerfData`";
            vec![
                not_told(MetaspaceGrowth, reason, &numbers),
                not_told(CodeCacheGrowth, reason, &numbers),
            ]
        } else {
            let reason = "3 collections of old garbage, at least 8 are needed: before them nobody knows what of the heap is alive";
            vec![not_told(GrowthWithoutEnd, reason, &numbers)]
        },
        split: Some(split(is_native, launches)),
        diagnosis: (variant == "jar").then(diagnosis),
        notes: Vec::new(),
    }
}

fn not_told(pattern: MemoryPattern, reason: &str, launches: &[u32]) -> NotTold {
    NotTold {
        pattern: pattern.into(),
        reason: reason.into(),
        launches: launches.to_vec(),
    }
}

fn metaspace(launches: &[u32]) -> MemoryFinding {
    let at = |s: f64| (40.0 + 0.2 * s) * MIB;
    let points = |count: u32, wobble: f64| {
        (0..count)
            .map(|i| {
                let s = f64::from(i) * 40.0 / f64::from(count - 1);
                (s, at(s) + wobble * MIB * f64::from(i % 3))
            })
            .collect()
    };
    MemoryFinding {
        pattern: MetaspaceGrowth.into(),
        summary: "metaspace grows by 720 MiB an hour (690 MiB to 745 MiB), from 40 MiB to 48 MiB, and does not come to its end".into(),
        advice: "classes are loaded again and again: look for proxies that are made for each request (`jcmd PID VM.metaspace`)".into(),
        launches: launches.iter().take(3).copied().collect(),
        looked_at: launches.len() as u32,
        shown: launches.first().copied().unwrap_or_default(),
        from_s: 0.0,
        to_s: 40.0,
        figures: vec![MemoryFigure {
            name: "slope_bytes_per_s".into(),
            value: 0.2 * MIB,
            interval: Some((0.19 * MIB, 0.21 * MIB)),
        }],
        evidence: vec![
            EvidenceSeries {
                name: "measured".into(),
                unit: "bytes".into(),
                points: points(60, 0.3),
            },
            EvidenceSeries {
                name: "trend".into(),
                unit: "bytes".into(),
                points: points(2, 0.0),
            },
        ],
    }
}

fn split(is_native: bool, launches: &[&LaunchData]) -> MemorySplit {
    let part = |name: &str, mib: f64, meaning: &str| MemoryPart {
        name: name.into(),
        bytes: mib * MIB,
        meaning: meaning.into(),
    };
    let heap = "what the last collection of old garbage left: an upper bound of what is alive";
    let rest = "the collector's and the compiler's own memory, direct buffers, and what malloc maps piece by piece";
    let parts = if is_native {
        vec![
            part("live heap", 21.0, heap),
            part("programs", 60.0, "executables and libraries"),
            part("unexplained", 40.0, rest),
        ]
    } else {
        vec![
            part("live heap", 38.0, heap),
            part(
                "garbage slack",
                30.0,
                "garbage that waits for its collection",
            ),
            part("unused heap", 12.0, "committed and once touched, empty now"),
            part("metaspace", 48.0, "classes and their methods"),
            part("code cache", 22.0, "compiled code"),
            part("thread stacks", 3.0, "what the stacks have touched"),
            part("libc", 30.0, "malloc's heap and arenas"),
            part("unexplained", 60.0, rest),
        ]
    };
    MemorySplit {
        launches: launches
            .iter()
            .filter(|l| l.record.outcome == LaunchOutcome::Completed)
            .map(|l| l.record.number)
            .collect(),
        rss_bytes: parts.iter().map(|p| p.bytes).sum(),
        parts,
    }
}

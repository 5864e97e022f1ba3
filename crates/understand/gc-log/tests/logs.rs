//! Real logs of every collector: each line is understood or known, and the numbers are those that
//! can be counted by hand.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::{Path, PathBuf};
use support::{events, summary};
use tacho_gc_log::{Failure, GcSummary, LiveSource};
use tacho_run_folder::Collector;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/logs")
}

fn log(name: &str) -> GcSummary {
    summary(&std::fs::read(folder().join(format!("{name}.log"))).unwrap())
}

fn all() -> Vec<(String, Vec<u8>)> {
    let mut logs: Vec<_> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "log"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read(path).unwrap())
        })
        .collect();
    logs.sort();
    assert!(logs.len() > 20);
    logs
}

/// How often a text stands in a log that ends a line with it, as `grep -c` would say.
fn lines_with(text: &[u8], is: impl Fn(&str) -> bool) -> u64 {
    let text = std::str::from_utf8(text).unwrap();
    text.lines().filter(|line| is(line)).count() as u64
}

#[test]
fn every_line_is_understood_or_known() {
    for (name, bytes) in all() {
        let summary = summary(&bytes);
        let lines = &summary.lines;
        assert_eq!(lines.examples, [], "{name}");
        assert_eq!(
            lines.all,
            lines.events + lines.details + lines.unknown + lines.other_tags + lines.no_log,
            "{name}"
        );
        assert_eq!(lines.all, lines_with(&bytes, |_| true), "{name}");
        let by_program = match name.as_str() {
            "native-25" | "native-25-verbose" => 1,
            // Without decorations and without a number nothing tells settings from what the program
            // writes.
            "hotspot-25-serial-no-decorations" => 17,
            _ => 0,
        };
        assert_eq!(lines.no_log, by_program, "{name}");
        assert!(lines.events > 0, "{name}");
    }
}

#[test]
fn every_line_that_ends_a_pause_is_one() {
    for (name, bytes) in all() {
        if name.starts_with("native-older") || name.starts_with("native-21") {
            continue;
        }
        let summary = summary(&bytes);
        let pauses = lines_with(&bytes, |line| {
            line.contains(" Pause ") && line.trim_end().ends_with("ms")
        });
        // A full collection within a young one is no pause of its own.
        let nested = u64::from(name == "hotspot-11-cms");
        let pauses = pauses - nested;
        // Without a number in front it begins the line.
        assert_eq!(summary.pauses.count, pauses, "{name}");
        let by_kind: u64 = summary.pauses.by_kind.iter().map(|kind| kind.count).sum();
        let by_cause: u64 = summary
            .pauses
            .by_cause
            .iter()
            .map(|cause| cause.count)
            .sum();
        assert_eq!((by_kind, by_cause), (pauses, pauses), "{name}");
    }
}

#[test]
fn collectors_and_settings() {
    const MIB: u64 = 1 << 20;
    for (name, collector) in [
        ("hotspot-17-serial", "Serial"),
        ("hotspot-25-parallel", "Parallel"),
        ("hotspot-17-g1", "G1"),
        ("hotspot-25-zgc", "ZGC"),
        ("hotspot-17-zgc", "ZGC"),
        ("hotspot-25-shenandoah", "Shenandoah"),
        ("native-25-verbose", "Serial (native image)"),
        ("native-21", "Serial (native image)"),
    ] {
        let settings = log(name).settings;
        let named = settings.collector.map(Collector::name);
        assert_eq!(named, Some(collector), "{name}");
        if name.starts_with("hotspot") {
            assert_eq!(settings.max_heap_bytes, Some(64 * MIB), "{name}");
            assert_eq!(settings.cpus, Some(2), "{name}");
        }
    }
    let native = log("native-25-verbose").settings;
    assert_eq!(native.policy.as_deref(), Some("adaptive"));
    assert_eq!(native.max_heap_bytes, Some(48 * MIB));
    assert_eq!(native.max_young_bytes, Some(16 * MIB));
    assert_eq!(log("hotspot-25-g1").settings.region_bytes, Some(MIB));
    assert_eq!(
        log("hotspot-25-serial").settings.version.as_deref(),
        Some("25.0.3+9-LTS")
    );
}

/// A cycle's duration is not a pause.
#[test]
fn zgc_without_its_phases_has_no_pauses_and_says_so() {
    let summary = log("hotspot-25-zgc-plain");
    assert_eq!(summary.pauses.count, 0);
    assert_eq!(summary.pauses.total_s, 0.0);
    assert!(summary.cycles.iter().map(|c| c.count).sum::<u64>() > 10);
    assert!(summary.concurrent_s.unwrap() > 0.1);
    assert!(summary.stalls.count > 0);
    assert!(summary.notes.iter().any(|note| note.contains("gc,phases")));
}

#[test]
fn failures() {
    let failures = |name: &str| -> Vec<(Failure, u64)> {
        let failures = log(name).failures;
        failures.into_iter().map(|f| (f.name, f.count)).collect()
    };
    let has = |name: &str, failure: Failure| {
        let all = failures(name);
        assert!(
            all.iter().any(|(f, n)| *f == failure && *n > 0),
            "{name}: {all:?}"
        );
    };
    has("hotspot-17-g1-failing", Failure::Evacuation);
    has("hotspot-25-g1-failing", Failure::Evacuation);
    has("hotspot-17-zgc-failing", Failure::OutOfMemory);
    has("hotspot-25-zgc-failing", Failure::OutOfMemory);
    has("hotspot-17-shenandoah-failing", Failure::Degenerated);
    has(
        "hotspot-17-shenandoah-failing",
        Failure::AllocationDuringCycle,
    );
    has("hotspot-25-shenandoah-failing", Failure::Degenerated);
    assert_eq!(failures("hotspot-25-serial"), []);
}

/// A region that native code has pinned stays where it is (JEP 423).
#[test]
fn a_pinned_region_is_no_want_of_room() {
    let failures = |why: &str| {
        let line = format!(
            "[12.785s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) (Evacuation Failure: {why}) 209M->13M(4096M) 46.482ms\n"
        );
        summary(line.as_bytes()).failures.len()
    };
    assert_eq!(failures("Pinned"), 0);
    assert_eq!(failures("Allocation"), 1);
    assert_eq!(failures("Allocation / Pinned"), 1);
}

/// The sizes of what was deduplicated are neither those of the heap (JDK 8) nor lines that nobody
/// understands (JDK 9 to 17).
#[test]
fn deduplicated_strings_are_detail() {
    let pause = "7.051: [GC pause (Metadata GC Threshold) (young) (initial-mark) 1548M->60668K(12288M), 0.0325005 secs]\n";
    let strings = "7.092: [GC concurrent-string-deduplication, 1062.5K->708.5K(354.0K), avg 33.3%, 0.0045829 secs]\n";
    let without = summary(pause.as_bytes());
    let with = summary(format!("{pause}{strings}").as_bytes());
    assert!(without.heap.last_capacity_bytes.is_some());
    assert_eq!(
        serde_json::to_value(&with.heap).unwrap(),
        serde_json::to_value(&without.heap).unwrap()
    );
    let later = "[2689.530s][info ][gc,stringdedup       ] Concurrent String Deduplication 6936.0B->984.0B(5952.0B) avg 23.6% (2689.530s, 2689.530s) 0.171ms\n";
    assert_eq!(summary(later.as_bytes()).lines.unknown, 0);
}

#[test]
fn older_native_images() {
    let summary = log("native-older");
    assert_eq!(summary.pauses.count, 4);
    assert_eq!(summary.lines.details, 2);
    let nanoseconds = [5_564_500_u64, 852_100, 6_717_000, 852_100];
    let total = nanoseconds.iter().sum::<u64>() as f64 / 1e9;
    assert!((summary.pauses.total_s - total).abs() < 1e-12);
    assert_eq!(summary.heap.max_used_bytes, Some(286_720 * 1024));
    let causes: Vec<_> = summary
        .pauses
        .by_cause
        .iter()
        .map(|c| (c.kind.as_str(), c.cause.as_deref().unwrap(), c.count))
        .collect();
    assert_eq!(
        causes,
        [
            ("Full GC", "CollectOnAllocation", 1),
            ("Incremental GC", "CollectOnAllocation.Sometimes", 1),
            ("Incremental GC", "CollectOnAllocation", 2)
        ]
    );
}

#[test]
fn an_event_of_each_kind() {
    let mut found = Vec::new();
    for (name, line) in [
        (
            "g1",
            "[0.163s][info][gc          ] GC(8) Pause Young (Concurrent Start) (G1 Humongous Allocation) 36M->32M(64M) 2.100ms",
        ),
        (
            "failed",
            "[0.2s][info][gc] GC(10) Pause Young (Normal) (G1 Evacuation Pause) (Evacuation Failure: Allocation) 39M->39M(40M) 0.632ms",
        ),
        (
            "step",
            "[0.1s][info][gc,phases] GC(0) Y: Pause Mark Start (Major) 0.023ms",
        ),
        (
            "full",
            "GC(39) Pause Full (System.gc()) 32M->0M(61M) 2.187ms",
        ),
        (
            "degenerated",
            "[1.6s][info][gc] GC(17) Pause Degenerated GC (Outside of Cycle) 59M->40M(64M) 4.251ms",
        ),
        (
            "cycle",
            "[0.1s][info][gc] GC(0) Major Collection (Warmup) 8M(12%)->18M(28%) 0.008s",
        ),
        (
            "no duration",
            "[0.1s][info][gc] GC(0) Garbage Collection (Warmup) 916M(11%)->246M(3%)",
        ),
        (
            "concurrent",
            "[0.1s][info][gc] GC(0) Concurrent cleanup (unload classes) 28M->27M(64M) 0.006ms",
        ),
        (
            "space",
            "[0.1s][info][gc,heap] GC(0) PSYoungGen: 16378K(18944K)->2544K(18944K) Eden: 16378K(16384K)->0K(16384K)",
        ),
        (
            "regions",
            "[0.1s][info][gc,heap] GC(0) Survivor regions: 0->1(1)",
        ),
        (
            "stall",
            "[0.1s][info][gc] Allocation Stall (http-nio-8080-exec-1) 15.750ms",
        ),
        (
            "trigger",
            "[0.1s][info][gc] Trigger: Learning 1 of 5. Free (45807K) is below initial threshold (45875K)",
        ),
        (
            "cpu",
            "[0.1s][info][gc,cpu] GC(0) User=0.00s Sys=0.01s Real=0.02s",
        ),
        (
            "safepoint",
            "[0.1s][info][safepoint] Safepoint \"G1CollectFull\", Time since last: 1 ns, Reaching safepoint: 2 ns, At safepoint: 3 ns, Total: 6 ns",
        ),
    ] {
        let events = events(format!("{line}\n").as_bytes());
        found.push(format!("{name}: {}", events.join("\n")));
    }
    insta::assert_snapshot!(found.join("\n"));
}

#[test]
fn what_is_not_understood_is_counted_with_an_example_of_each_shape() {
    let log = b"[0.1s][info][gc] GC(1) Pause Yawn (Boredom) 1M->2M 3 blinks\n\
                [0.2s][info][gc] GC(22) Pause Yawn (Boredom) 10M->20M 30 blinks\n\
                [0.3s][info][gc,quux] something else\n\
                [0.4s][info][class,load] java.lang.Object\n\
                hello [world]\n";
    let lines = summary(log).lines;
    // What no figure comes from cannot be missing in the numbers.
    assert_eq!((lines.unknown, lines.details), (2, 1));
    assert_eq!((lines.other_tags, lines.no_log), (1, 1));
    let examples: Vec<_> = lines
        .examples
        .iter()
        .map(|e| (e.count, e.line.as_str()))
        .collect();
    assert_eq!(
        examples,
        [(
            2,
            "[0.1s][info][gc] GC(1) Pause Yawn (Boredom) 1M->2M 3 blinks"
        )]
    );
}

#[test]
fn lines_in_the_company_of_others() {
    let pause =
        "[0.056s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 16M->4M(64M) 4.249ms";
    // After output of the program that ends no line; with the line end of Windows; after bytes that
    // are no text.
    let log = [
        format!("serving GET /ping ... {pause}\n").into_bytes(),
        format!("{pause}\r\n").into_bytes(),
        b"\xff\xfe\x00 no text\n".to_vec(),
        [pause.as_bytes(), b"\n"].concat(),
        [vec![b'x'; 200_000], b"\n".to_vec()].concat(),
        [pause.as_bytes(), b"\n"].concat(),
    ]
    .concat();
    let summary = summary(&log);
    assert_eq!(summary.pauses.count, 4);
    assert_eq!((summary.lines.no_log, summary.lines.too_long), (2, 1));
}

/// With `-Xlog:async` a JVM says under no tag, and with whatever decorations there are, how much it
/// did not write.
#[test]
fn what_an_asynchronous_log_dropped_is_said_to_be_missing() {
    let pause = "GC(0) Pause Young (Normal) (G1 Evacuation Pause) 16M->4M(64M) 4.249ms";
    let dropped = "   346 messages dropped due to async logging";
    for (decorations, of_the_jvm) in [
        (
            "[0.056s][info   ][gc          ] ",
            "[0.057s][warning][            ] ",
        ),
        ("[0.056s] ", "[0.057s] "),
        ("", ""),
    ] {
        let log = format!("{decorations}{pause}\n{of_the_jvm}{dropped}\n").repeat(2);
        let summary = summary(log.as_bytes());
        let lines = &summary.lines;
        assert_eq!((lines.events, lines.dropped), (2, 692), "{log}");
        let is_said = |note: &String| note.starts_with("The JVM dropped 692 messages of its log");
        assert!(summary.notes.iter().any(is_said), "{:?}", summary.notes);
    }
    let whole = summary(format!("[0.056s][info][gc] {pause}\n").as_bytes());
    assert_eq!(whole.lines.dropped, 0);
    assert!(!whole.notes.iter().any(|note| note.contains("dropped")));
}

#[test]
fn a_restart_adds_up() {
    let log = b"[10.0s][info][gc] GC(0) Pause Full (System.gc()) 9M->1M(64M) 100.000ms\n\
                [20.0s][info][gc] GC(1) Pause Full (System.gc()) 9M->1M(64M) 100.000ms\n\
                [0.5s][info][gc] Using Serial\n\
                [5.0s][info][gc] GC(0) Pause Full (System.gc()) 9M->1M(64M) 100.000ms\n";
    let summary = summary(log);
    let time = summary.time.unwrap();
    // The first pause began 100 ms before its line.
    assert_eq!((time.restarts, time.duration_s), (1, 15.1));
    assert!((summary.pauses.share.unwrap() - 0.3 / 15.1).abs() < 1e-9);
    assert_eq!(summary.settings.collector, Some(Collector::Serial));
}

/// What was allocated before the first line took the time before it: 200 MB in the 40 s from the
/// JVM's begin, not in the 20 s of the lines.
#[test]
fn what_jdk_8_allocates_before_its_first_line_takes_the_time_before_it() {
    let summary = summary(
        b"OpenJDK 64-Bit Server VM (25.392-b08) for linux-amd64 JRE (1.8.0_392-b08), built on Oct 16 2023\n\
          20.000: [GC (Allocation Failure) 102400K->0K(204800K), 0.0100000 secs]\n\
          39.990: [GC (Allocation Failure) 102400K->0K(204800K), 0.0100000 secs]\n",
    );
    let allocation = summary.allocation.unwrap();
    assert_eq!(allocation.bytes, 200 << 20);
    assert_eq!(allocation.bytes_per_s, Some(f64::from(5 << 20)));
    assert_eq!(summary.time.unwrap().duration_s, 20.0);
}

/// As JDK 6 writes what later ones call `System.gc()`.
#[test]
fn what_jdk_6_says_of_a_program_that_asks_is_understood() {
    let summary = summary(
        b"1.000: [Full GC (System) 9000K->1000K(64000K), 0.1000000 secs]\n\
          2.000: [Full GC 60000K->1000K(64000K), 0.1000000 secs]\n",
    );
    assert_eq!((summary.asked_for, summary.forced_full), (1, 1));
}

/// The last lines of a program that does nothing but collect, as `kubectl logs --tail` gives them.
#[test]
fn no_more_than_all_of_the_time_is_in_pauses() {
    let summary = summary(
        b"[9.0s][info][gc,heap] GC(7) Old regions: 99->99\n\
          [9.0s][info][gc] GC(7) Pause Full (G1 Compaction Pause) 99M->98M(100M) 3000.000ms\n\
          [12.1s][info][gc] GC(8) Pause Full (G1 Compaction Pause) 99M->98M(100M) 3050.000ms\n",
    );
    assert!((summary.time.unwrap().duration_s - 6.1).abs() < 1e-9);
    assert!((summary.pauses.share.unwrap() - 6.05 / 6.1).abs() < 1e-9);
    assert_eq!(summary.over_time.last().unwrap().at_s, 6.1);
}

fn collections(name: &str) -> tacho_run_folder::CollectionLog {
    let file = std::fs::File::open(folder().join(format!("{name}.log"))).unwrap();
    tacho_gc_log::launch::read(file, "gc.log").unwrap()
}

#[test]
fn the_collections_of_a_launch_add_up_to_the_summary() {
    for (name, bytes) in all() {
        let (log, summary) = (collections(&name), summary(&bytes));
        assert_eq!(log.pauses.count, summary.pauses.count, "{name}");
        assert_eq!(log.collector, summary.settings.collector, "{name}");
        let paused: f64 = log.collections.iter().map(|c| c.pause_s).sum();
        // Steps of a cycle that the log does not end belong to no collection.
        assert!(paused <= summary.pauses.total_s + 1e-9, "{name}: {paused}");
        let highest = log
            .collections
            .iter()
            .map(|c| c.before_bytes.max(c.after_bytes))
            .fold(0.0, f64::max);
        assert!(
            highest <= summary.heap.max_used_bytes.unwrap_or(0) as f64,
            "{name}"
        );
        assert!(
            log.collections
                .windows(2)
                .all(|c| c[0].at_s <= c[1].at_s + 0.01),
            "{name}"
        );
    }
}

#[test]
fn what_collections_can_free_is_told_by_their_collector() {
    use tacho_run_folder::CollectionKind::{Full, Old, Young};
    let kinds = |name: &str| {
        let log = collections(name);
        let count = |kind| log.collections.iter().filter(|c| c.kind == kind).count();
        (count(Young), count(Old), count(Full))
    };
    let has_old_garbage: [&str; 6] = [
        "hotspot-17-g1",
        "hotspot-25-g1-plain",
        "hotspot-17-zgc",
        "hotspot-25-zgc",
        "hotspot-17-shenandoah",
        "hotspot-25-shenandoah",
    ];
    for name in has_old_garbage {
        assert!(kinds(name).1 > 0, "{name}: {:?}", kinds(name));
    }
    for name in ["hotspot-17-serial", "hotspot-25-parallel", "native-25"] {
        let (young, old, full) = kinds(name);
        assert!(
            young > 0 && old == 0 && full > 0,
            "{name}: {:?}",
            kinds(name)
        );
    }
    // Its one cycle is of the young generation.
    let young = "hotspot-25-shenandoah-generational";
    assert_eq!(kinds(young), (1, 0, 0));
    let live = log(young).heap.live_set.unwrap();
    assert_eq!(live.source, LiveSource::Young);
    // One of the mixed collections after each cycle begins to free what it has found; the rest go
    // on.
    let mixed = std::fs::read_to_string(folder().join("hotspot-25-g1-plain.log")).unwrap();
    let cycles = lines_with(mixed.as_bytes(), |l| l.contains("Pause Cleanup ")) as usize;
    let (_, old, _) = kinds("hotspot-25-g1-plain");
    assert!((cycles..=cycles + 2).contains(&old), "{old} of {cycles}");
}

#[test]
fn a_native_image_that_says_what_it_keeps_has_a_committed_heap() {
    let first = &collections("native-25-verbose").collections[0];
    // Old: 0.00M->2.00M, Free: 0.00M->8.00M
    assert_eq!(first.capacity_bytes, Some(10.0 * 1024.0 * 1024.0));
    assert_eq!(collections("native-25").collections[0].capacity_bytes, None);
}

#[test]
fn memory_that_shenandoah_returns_between_collections_is_known() {
    let summary = summary(
        b"[25.082s][info ][gc,start     ] Concurrent uncommit\n\
          [26.244s][info ][gc           ] Concurrent uncommit 145M (47360K) 1162.431ms\n",
    );
    assert_eq!((summary.lines.details, summary.lines.unknown), (2, 0));
}

/// CMS before JDK 9: of the two numbers of a phase the second is its time.
#[test]
fn concurrent_phases_of_cms_before_jdk_9_are_a_cycle() {
    let summary = summary(
        b"22.927: [GC (CMS Initial Mark) [1 CMS-initial-mark: 264246K(349568K)] 283705K(506816K), 0.0024774 secs] [Times: user=0.01 sys=0.00, real=0.00 secs] \n\
          22.929: [CMS-concurrent-mark-start]\n\
          22.990: [CMS-concurrent-mark: 0.060/0.062 secs] [Times: user=0.12 sys=0.00, real=0.06 secs] \n\
          23.728: [CMS-concurrent-reset-start]\n\
          23.752: [CMS-concurrent-reset: 0.023/0.024 secs] [Times: user=0.05 sys=0.01, real=0.03 secs] \n",
    );
    let cycles: Vec<_> = summary.cycles.iter().map(|row| row.count).collect();
    assert_eq!(cycles, [1]);
    assert_eq!(summary.concurrent_s, Some(0.086));
    assert_eq!(summary.pauses.count, 1);
    // The processor time of a phase is none of a collection.
    assert_eq!(summary.cpu.unwrap().user_s, 0.01);
}

/// It is written within the record of the full collection that waited for it, with a later instant.
#[test]
fn a_phase_of_cms_within_a_full_collection_is_no_restart() {
    let summary = summary(
        b"76.751: [GC (Allocation Failure) 76.751: [ParNew: 151170K->151170K(157248K), 0.0000211 secs]76.751: [CMS79.800: [CMS-concurrent-mark: 0.668/3.050 secs] [Times: user=0.67 sys=0.03, real=3.05 secs] \n \
          (concurrent mode failure): 339471K->150000K(349568K), 4.1801000 secs] 490641K->150000K(506816K), [Metaspace: 36000K->36000K(1085440K)], 4.1804000 secs] [Times: user=0.92 sys=0.11, real=4.18 secs] \n",
    );
    assert_eq!(summary.time.unwrap().restarts, 0);
    assert_eq!((summary.pauses.count, summary.forced_full), (1, 1));
    assert_eq!(summary.concurrent_s, Some(3.05));
    assert_eq!(summary.lines.unknown, 0);
}

/// CMS of JDK 9 to 13 writes it behind its concurrent phases, too, which wait on purpose.
#[test]
fn processor_time_of_a_concurrent_phase_is_none_of_a_collection() {
    let phase = "[10.0s][info][gc] GC(4) Concurrent Abortable Preclean 5007.123ms\n";
    let of_phase = "[10.0s][info][gc,cpu] GC(4) User=0.50s Sys=0.02s Real=5.01s\n";
    let pause = "[10.1s][info][gc] GC(4) Pause Remark 25M->25M(61M) 120.883ms\n";
    let of_pause = "[10.1s][info][gc,cpu] GC(4) User=0.20s Sys=0.00s Real=0.12s\n";
    let of_young = "[10.0s][info][gc,cpu] GC(5) User=0.01s Sys=0.00s Real=0.25s\n";
    let cpu = |log: &[&str]| {
        let cpu = summary(log.concat().as_bytes()).cpu;
        cpu.map(|cpu| (cpu.real_s, cpu.starved))
    };
    assert_eq!(cpu(&[phase, of_phase]), None);
    let only_of_pause = Some((0.12, 0));
    assert_eq!(cpu(&[phase, of_phase, pause, of_pause]), only_of_pause);
    // Other collectors write none behind their phases.
    assert_eq!(cpu(&[phase, pause, of_pause]), only_of_pause);
    assert_eq!(cpu(&[phase, of_young, of_phase]), Some((0.25, 1)));
}

#[test]
fn a_log_that_is_cut_off_within_a_record_is_cut_off_once() {
    let cut_off = |log: &str| summary(log.as_bytes()).lines.cut_off;
    let record = "12.221: [GC (Allocation Failure) 12.221: [ParNew: 174848K->25512K(349568K), 0.0157380 secs] 174848K->25512K(354944K), 0.0158160 secs]\n";
    assert_eq!(cut_off(record), 0);
    // In the middle of a number, and behind a line end or a bracket.
    assert_eq!(cut_off(&record[..60]), 1);
    assert_eq!(cut_off(&format!("{}\n", &record[..60])), 1);
    let inner = record.find("] ").unwrap();
    assert_eq!(cut_off(&record[..=inner]), 1);
}

/// A log shipper's own clock and level, in brackets as the JVM's decorations are.
#[test]
fn a_prefix_in_brackets_changes_nothing() {
    let old = "12.221: [GC (Allocation Failure) 12.221: [ParNew\n\
               Desired survivor size 11173888 bytes, new threshold 6 (max 6)\n\
               - age   1:    1114112 bytes,    1114112 total\n\
               : 174848K->25512K(349568K), 0.0157380 secs] 174848K->25512K(354944K), 0.0158160 secs] [Times: user=0.06 sys=0.00, real=0.02 secs]\n\
               13.100: Total time for which application threads were stopped: 0.0170000 seconds\n";
    let new = std::fs::read_to_string(folder().join("hotspot-25-g1.log")).unwrap();
    let behind = |prefix: &str, log: &str| -> Vec<String> {
        let lines: Vec<_> = log.lines().map(|l| format!("{prefix}{l}\n")).collect();
        events(lines.concat().as_bytes())
    };
    for log in [old, new.as_str()] {
        let bare = events(log.as_bytes());
        assert!(bare.iter().any(|event| event.contains("Pause")));
        for prefix in [
            "[2026-11-22T07:32:45.637Z] ",
            "[info] ",
            "[2026-11-22T07:32:45.637+0000] [warning] ",
        ] {
            assert_eq!(behind(prefix, log), bare, "{prefix}");
        }
    }
    // A clock that no JVM writes, before one record after the other.
    let records = "12.221: [GC 41003K(83008K), 0.0032403 secs]\n13.221: [GC 41004K(83008K), 0.0032403 secs]\n";
    let clock = "[2026-11-22 07:32:45,637] ";
    assert_eq!(behind(clock, records), events(records.as_bytes()));
    // A number that is cut off is none behind a prefix, too.
    assert!(events(b"[info] [0.1s][info][gc,heap] GC(0) Old regions: 0->1").is_empty());
}

/// What marking of the old generation finds, the cycle after it frees; marking that is left for a
/// young cycle has found nothing yet.
#[test]
fn generational_shenandoah_frees_old_garbage_after_it_is_marked() {
    use tacho_run_folder::CollectionKind::{Old, Young};
    let log = b"[1.0s][info][gc] Trigger (Old): Old has overgrown, live at end of previous OLD marking: 16384K\n\
                [1.1s][info][gc] GC(2) Concurrent reset (Young) 0.412ms\n\
                [1.2s][info][gc] GC(2) Pause Final Mark (Young) 0.192ms\n\
                [1.3s][info][gc] GC(2) Concurrent cleanup (Young) 120M->117M(256M) 0.010ms\n\
                [1.4s][info][gc] GC(2) Concurrent marking (Old) 0.918ms\n\
                [1.5s][info][gc] GC(2) Pause Final Mark (Old) 0.214ms\n\
                [1.6s][info][gc] GC(2) Concurrent cleanup (Old) 117M->116M(256M) 0.010ms\n\
                [2.1s][info][gc] GC(3) Concurrent reset (Young) 0.412ms\n\
                [2.3s][info][gc] GC(3) Concurrent cleanup (Young) 130M->60M(256M) 0.010ms\n\
                [3.1s][info][gc] GC(4) Concurrent reset (Young) 0.412ms\n\
                [3.3s][info][gc] GC(4) Concurrent cleanup (Young) 90M->58M(256M) 0.010ms\n\
                [4.1s][info][gc] GC(5) Concurrent marking (Old) 0.918ms\n\
                [5.1s][info][gc] GC(6) Concurrent reset (Young) 0.412ms\n\
                [5.3s][info][gc] GC(6) Concurrent cleanup (Young) 91M->57M(256M) 0.010ms\n";
    let course = tacho_gc_log::launch::read(log.as_slice(), "gc.log").unwrap();
    let megabytes = |bytes: f64| bytes / 1_048_576.0;
    let left: Vec<_> = course
        .collections
        .iter()
        .map(|c| (c.kind, megabytes(c.after_bytes)))
        .collect();
    assert_eq!(
        left,
        [(Young, 117.0), (Old, 60.0), (Young, 58.0), (Young, 57.0)]
    );
    let summary = summary(log);
    let cycles: u64 = summary.cycles.iter().map(|row| row.count).sum();
    assert_eq!((cycles, summary.failures.len()), (6, 0));
    let live = summary.heap.live_set.unwrap();
    assert_eq!((live.source, live.last_bytes), (LiveSource::Old, 60 << 20));
}

/// G1 before JDK 9: of the steps of a cycle only the cleanup says what the heap holds.
#[test]
fn a_cycle_of_g1_before_jdk_9_is_a_collection_of_old_garbage() {
    use tacho_run_folder::CollectionKind::{Old, Young};
    let log = b"1.000: [GC pause (G1 Evacuation Pause) (young) (initial-mark) 30M->20M(64M), 0.0040000 secs]\n\
                1.004: [GC concurrent-mark-start]\n\
                1.100: [GC concurrent-mark-end, 0.0960000 secs]\n\
                1.200: [GC remark, 0.0030000 secs]\n\
                1.300: [GC cleanup 25M->22M(64M), 0.0010000 secs]\n\
                2.000: [GC pause (G1 Evacuation Pause) (young) 40M->21M(64M), 0.0040000 secs]\n\
                3.000: [GC pause (G1 Evacuation Pause) (mixed) 30M->15M(64M), 0.0050000 secs]\n";
    let course = tacho_gc_log::launch::read(log.as_slice(), "gc.log").unwrap();
    let kinds: Vec<_> = course.collections.iter().map(|c| c.kind).collect();
    assert_eq!(kinds, [Young, Old, Young, Young]);
    let cycle = &course.collections[1];
    assert_eq!(cycle.after_bytes, 22.0 * 1_048_576.0);
    assert!((cycle.pause_s - 0.004).abs() < 1e-9);
}

//! The log says what the JVM itself has counted: logs are recorded here, by every collector of
//! every JDK that is found.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use support::summary;
use tacho_gc_log::{GcSummary, Heap, Reader, What};
use tacho_subject::{Host, Jdk, Jdks};

/// What a launch said of itself, and its logs up to that moment.
struct Recorded {
    folder: tempfile::TempDir,
    /// Counts and milliseconds of the GarbageCollectorMXBeans.
    beans: BTreeMap<String, (u64, u64)>,
    max_heap: u64,
    /// Bytes that the program's thread had allocated before the last collection.
    allocated: u64,
    /// Bytes of each log when the beans were read.
    sizes: BTreeMap<String, usize>,
    /// jdk.GarbageCollection by gcId: the sum of pauses in nanoseconds.
    recording: BTreeMap<u64, u64>,
}

impl Recorded {
    /// To its end: the recording goes on when the beans have been read.
    fn whole_log(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.folder.path().join(name)).unwrap()
    }

    fn log(&self, name: &str) -> Vec<u8> {
        let mut bytes = self.whole_log(name);
        bytes.truncate(self.sizes[name]);
        bytes
    }

    fn count(&self, bean: &str) -> u64 {
        self.beans[bean].0
    }

    /// Over the beans whose name ends so.
    fn counts(&self, ending: &str) -> u64 {
        let beans = self.beans.iter().filter(|(name, _)| name.ends_with(ending));
        beans.map(|(_, (count, _))| count).sum()
    }
}

fn jdks() -> Vec<Jdk> {
    let found = Jdks::discover(&Host::here());
    let jdks: Vec<Jdk> = [17, 25]
        .into_iter()
        .filter_map(|feature| {
            found
                .all()
                .iter()
                .find(|jdk| jdk.feature == feature && jdk.is_full())
        })
        .cloned()
        .collect();
    if !jdks.is_empty() {
        return jdks;
    }
    let newest = found.newest_that_suits(Some(17));
    vec![newest.expect("these tests need a JDK 17 or newer").clone()]
}

/// The recorder, compiled by the oldest JDK for all of them.
fn recorder() -> &'static Path {
    static CLASSES: OnceLock<tempfile::TempDir> = OnceLock::new();
    let classes = CLASSES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorder/Recorder.java");
        let done = Command::new(jdks()[0].tool("javac"))
            .args(["--release", "17", "-d"])
            .arg(folder.path())
            .arg(source)
            .output()
            .unwrap();
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
        folder
    });
    classes.path()
}

const EVERY: &str =
    "time,utctime,uptime,timemillis,uptimemillis,timenanos,uptimenanos,hostname,pid,tid,level,tags";

/// `None` when this JVM lacks the collector.
fn record(jdk: &Jdk, collector: &str, megabytes: u32) -> Option<Recorded> {
    let folder = tempfile::tempdir().unwrap();
    let log = |what: &str, file: &str, decorations: &str| {
        format!(
            "-Xlog:{what}:file={}/{file}:{decorations}",
            folder.path().display()
        )
    };
    let run = Command::new(jdk.tool("java"))
        .args(["-Xmx64m", "-Xms64m"])
        .arg(format!("-XX:+Use{collector}GC"))
        .arg(log("gc*", "all-tags.log", "uptime,level,tags"))
        .arg(log("gc", "plain.log", "uptime,level,tags"))
        .arg(log("gc*", "bare.log", "none"))
        .arg(log("gc*", "millis.log", "uptimemillis"))
        .arg(log("gc*,safepoint", "everything.log", EVERY))
        .arg("-cp")
        .arg(recorder())
        .args(["Recorder", &megabytes.to_string()])
        .arg(folder.path())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&run.stderr);
    if errors.contains("Option -XX:+Use") && errors.contains("not supported") {
        return None;
    }
    assert!(run.status.success(), "{errors}");
    Some(read(folder, std::str::from_utf8(&run.stdout).unwrap()))
}

fn read(folder: tempfile::TempDir, told: &str) -> Recorded {
    let mut recorded = Recorded {
        folder,
        beans: BTreeMap::new(),
        max_heap: 0,
        allocated: 0,
        sizes: BTreeMap::new(),
        recording: BTreeMap::new(),
    };
    for line in told.lines() {
        let fields: Vec<&str> = line.split(';').collect();
        match fields[..] {
            ["collector", name, count, millis] => {
                let values = (count.parse().unwrap(), millis.parse().unwrap());
                recorded.beans.insert(name.to_owned(), values);
            }
            ["allocated", bytes] => recorded.allocated = bytes.parse().unwrap(),
            ["max-heap", bytes] => recorded.max_heap = bytes.parse().unwrap(),
            ["log", name, size] => {
                recorded
                    .sizes
                    .insert(name.to_owned(), size.parse().unwrap());
            }
            ["jfr", id, _, _, pauses, _] => {
                recorded
                    .recording
                    .insert(id.parse().unwrap(), pauses.parse().unwrap());
            }
            _ => {}
        }
    }
    assert!(!recorded.beans.is_empty() && !recorded.recording.is_empty());
    recorded
}

fn pauses(summary: &GcSummary, is: impl Fn(&str) -> bool) -> (u64, f64) {
    let kinds = summary.pauses.by_kind.iter().filter(|kind| is(&kind.kind));
    kinds.fold((0, 0.0), |(count, total), kind| {
        (count + kind.count, total + kind.total_s)
    })
}

fn cycles(summary: &GcSummary) -> u64 {
    summary.cycles.iter().map(|cycle| cycle.count).sum()
}

/// Counts are those of the beans, exactly. Their times are measured within those of the log, except
/// Shenandoah's, whose are around them. By how much depends on whether a thread got its processor
/// between the two clocks, so that only the order is certain; that most pauses are about as long is
/// held against the recording.
fn agree(name: &str, collector: &str, recorded: &Recorded, summary: &GcSummary) {
    let of = |is: &dyn Fn(&str) -> bool, beans: &[&str]| {
        let (count, total) = pauses(summary, is);
        let counted: u64 = beans.iter().map(|bean| recorded.beans[*bean].0).sum();
        let millis: u64 = beans.iter().map(|bean| recorded.beans[*bean].1).sum();
        assert_eq!(count, counted, "{name}: {beans:?}");
        let log = total * 1000.0;
        // Beans round down to whole milliseconds, lines to whole microseconds.
        let (least, most) = match collector {
            "Shenandoah" => (0.0, millis as f64 + 1.0 + 0.001 * count as f64),
            _ => (millis as f64 - 1.0 - 0.001 * count as f64, f64::INFINITY),
        };
        assert!(
            least <= log && log <= most,
            "{name}: {beans:?} {millis} ms, the log {log} ms"
        );
    };
    let is_young = |kind: &str| kind.starts_with("Young");
    let is_full = |kind: &str| kind == "Full";
    match collector {
        "Serial" => {
            of(&is_young, &["Copy"]);
            of(&is_full, &["MarkSweepCompact"]);
        }
        "Parallel" => {
            of(&is_young, &["PS Scavenge"]);
            of(&is_full, &["PS MarkSweep"]);
        }
        "G1" => {
            of(&is_young, &["G1 Young Generation"]);
            of(&is_full, &["G1 Old Generation"]);
            // Since JDK 20 the steps of the concurrent cycle have a bean of their own.
            if recorded.beans.contains_key("G1 Concurrent GC") {
                of(
                    &|kind| matches!(kind, "Remark" | "Cleanup"),
                    &["G1 Concurrent GC"],
                );
            }
        }
        "Z" => {
            assert_eq!(cycles(summary), recorded.counts("Cycles"), "{name}");
            if name.ends_with("plain.log") {
                assert_eq!(summary.pauses.count, 0);
            } else {
                assert_eq!(summary.pauses.count, recorded.counts("Pauses"), "{name}");
            }
        }
        "Shenandoah" => {
            assert_eq!(
                summary.collections,
                recorded.count("Shenandoah Cycles"),
                "{name}"
            );
            of(&|_| true, &["Shenandoah Pauses"]);
        }
        other => panic!("{other}"),
    }
}

/// Pauses by collection: how many, and their nanoseconds.
fn by_collection(log: &[u8]) -> BTreeMap<u64, (u64, u64)> {
    let mut pauses = BTreeMap::new();
    let mut reader = Reader::default();
    let mut take = |event: &tacho_gc_log::Event<'_>| {
        if let (Some(id), What::Pause(pause)) = (event.collection, event.what) {
            let (count, total) = pauses.entry(id).or_insert((0, 0));
            *count += 1;
            *total += pause.duration;
        }
    };
    reader.feed(log, &mut take);
    let _lines = reader.end(&mut take);
    pauses
}

/// Of each collection that the recording has, the log has the pauses. One may differ by what the
/// scheduler does between two clocks; half of them may not.
fn agrees_with_the_recording(name: &str, recorded: &Recorded, log: &[u8]) {
    let logged = by_collection(log);
    let mut differences = Vec::new();
    for (id, recorded) in &recorded.recording {
        // A cycle that is given up at once has no pause.
        let (count, logged) = logged.get(id).copied().unwrap_or((0, 0));
        assert!(*recorded == 0 || count > 0, "{name}: GC({id}) is missing");
        // The recording measures around a pause what the log measures within it: some 0.1 ms each.
        let around = 100_000.0 * count.max(1) as f64;
        differences.push((logged as f64 - *recorded as f64).abs() / (*recorded as f64 + around));
    }
    differences.sort_by(f64::total_cmp);
    let median = differences[differences.len() / 2];
    assert!(median < 0.25, "{name}: differences of {differences:?}");
}

fn every_launch(collector: &str, megabytes: u32) {
    let mut launches = 0;
    for jdk in jdks() {
        let Some(recorded) = record(&jdk, collector, megabytes) else {
            continue;
        };
        launches += 1;
        let name = |log: &str| format!("{} {collector} {log}", jdk.feature);
        let mut logs: Vec<(&str, GcSummary)> = Vec::new();
        for log in [
            "all-tags.log",
            "everything.log",
            "millis.log",
            "bare.log",
            "plain.log",
        ] {
            let bytes = recorded.log(log);
            let summary = summary(&bytes);
            assert_eq!(summary.lines.examples, [], "{}", name(log));
            assert_eq!(summary.lines.cut_off, 0, "{}", name(log));
            agree(&name(log), collector, &recorded, &summary);
            if collector != "Z" || log != "plain.log" {
                agrees_with_the_recording(&name(log), &recorded, &recorded.whole_log(log));
            }
            logs.push((log, summary));
        }
        let whole = &logs[0].1;
        assert!(
            whole.collections > 5,
            "{}: too little was collected",
            name("")
        );
        // Whatever the decorations: the same.
        for (log, other) in &logs[1..4] {
            assert_eq!(other.pauses.by_kind, whole.pauses.by_kind, "{}", name(log));
            assert_eq!(other.collections, whole.collections, "{}", name(log));
            assert_eq!(
                without_estimate(other),
                without_estimate(whole),
                "{}",
                name(log)
            );
            assert_eq!(other.stalls, whole.stalls, "{}", name(log));
        }
        largest_heap(&name(""), collector, &recorded, whole);
        allocation(&name(""), collector, &recorded, whole);
        safepoints(&name(""), &logs[1].1);
    }
    assert!(launches > 0, "no JDK here has {collector}");
}

/// The heap without what is estimated from the second half of the time: not every log has instants.
fn without_estimate(summary: &GcSummary) -> Heap {
    let mut heap = summary.heap.clone();
    if let Some(live) = &mut heap.live_set {
        live.bytes = 0;
    }
    heap
}

/// `Runtime.maxMemory` leaves one survivor space out (Serial, Parallel); with -Xms as -Xmx that is
/// what the spaces add up to.
fn largest_heap(name: &str, collector: &str, recorded: &Recorded, summary: &GcSummary) {
    assert_eq!(summary.settings.max_heap_bytes, Some(64 << 20), "{name}");
    let capacity = summary.heap.max_capacity_bytes.unwrap();
    if collector == "Parallel" {
        // Survivor spaces change their size; the largest capacity was with the smallest.
        assert!(
            capacity >= recorded.max_heap && capacity <= 64 << 20,
            "{name}: {capacity}"
        );
    } else {
        assert_eq!(capacity, recorded.max_heap, "{name}");
    }
    assert!(summary.heap.max_used_bytes.unwrap() <= 64 << 20);
}

/// Beside the program's thread, those of the JVM allocate a little. An array larger than half a
/// region has whole regions to itself (G1). ZGC counts pages of 2 MB, and each cycle leaves those
/// unfilled that threads have: in a heap of 64 MB that is a good part (with 512 MB the log is
/// within 8 % of the JVM).
fn allocation(name: &str, collector: &str, recorded: &Recorded, summary: &GcSummary) {
    let logged = summary.allocation.as_ref().unwrap();
    let ratio = logged.bytes as f64 / recorded.allocated as f64;
    let most = match collector {
        "Z" => 1.7,
        _ if logged.is_upper_bound => 3.0,
        _ => 1.25,
    };
    assert!(
        (0.9..most).contains(&ratio),
        "{name}: the log {} bytes, the JVM {}",
        logged.bytes,
        recorded.allocated
    );
}

/// Collections stop the program at safepoints, which take longer than their pauses.
fn safepoints(name: &str, summary: &GcSummary) {
    let safepoints = summary.safepoints.as_ref().unwrap();
    assert!(safepoints.total_s >= summary.pauses.total_s * 0.9, "{name}");
    assert!(safepoints.reaching_s < safepoints.total_s, "{name}");
}

#[test]
fn serial() {
    every_launch("Serial", 300);
}

#[test]
fn parallel() {
    every_launch("Parallel", 300);
}

#[test]
fn g1() {
    every_launch("G1", 300);
}

#[test]
fn zgc() {
    every_launch("Z", 300);
}

#[test]
fn shenandoah() {
    every_launch("Shenandoah", 300);
}

#[test]
fn files_of_a_rotation_are_read_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let current = write(
        "gc.log",
        "[9.0s][info][gc] GC(2) Pause Full (System.gc()) 9M->1M(64M) 1.000ms\n",
    );
    let first = write("gc.log.0", "[1.0s][info][gc] Using Serial\n");
    let second = write(
        "gc.log.1",
        "[5.0s][info][gc] GC(1) Pause Full (System.gc()) 9M->1M(64M) 1.000ms\n",
    );
    let parts = tacho_gc_log::parts(&[current.clone(), second.clone(), first.clone()]).unwrap();
    let order: Vec<_> = parts.iter().map(|part| part.path().to_owned()).collect();
    assert_eq!(order, [first, second, current]);
}

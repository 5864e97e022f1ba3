//! The log says what the JVM itself has counted: logs are recorded here, by every collector of
//! JDK 17 and 25 and of the Java homes in `TACHO_TEST_JAVA_HOMES` (with colons between them), as
//! `make test-gc-jdks` gives it.
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

/// A collector, and how a JVM is asked for it.
struct Asked {
    collector: &'static str,
    options: &'static [&'static str],
    /// What a JVM says that has no such collector or mode.
    refusal: &'static str,
}

const fn plain(collector: &'static str, options: &'static [&'static str]) -> Asked {
    Asked {
        collector,
        options,
        refusal: "not supported",
    }
}

const SERIAL: Asked = plain("Serial", &["-XX:+UseSerialGC"]);
const PARALLEL: Asked = plain("Parallel", &["-XX:+UseParallelGC"]);
const G1: Asked = plain("G1", &["-XX:+UseG1GC"]);
const ZGC: Asked = plain("Z", &["-XX:+UseZGC"]);
const SHENANDOAH: Asked = plain("Shenandoah", &["-XX:+UseShenandoahGC"]);
/// Until JDK 13.
const CMS: Asked = Asked {
    collector: "CMS",
    options: &["-XX:+UseConcMarkSweepGC"],
    refusal: "Unrecognized VM option",
};
/// JDK 21 and 22 have both kinds of ZGC; since 23 this is the one that `UseZGC` means (JEP 474).
const GENERATIONAL_ZGC: Asked = Asked {
    collector: "Z",
    options: &["-XX:+UseZGC", "-XX:+ZGenerational"],
    refusal: "Unrecognized VM option",
};
/// Since JDK 24 (JEP 404).
const GENERATIONAL_SHENANDOAH: Asked = Asked {
    collector: "generational Shenandoah",
    options: &["-XX:+UseShenandoahGC", "-XX:ShenandoahGCMode=generational"],
    refusal: "Unknown -XX:ShenandoahGCMode option",
};

/// Those with a compiler, and those that are named.
fn jdks() -> Vec<Jdk> {
    let named = std::env::var_os("TACHO_TEST_JAVA_HOMES").unwrap_or_default();
    let named = std::env::split_paths(&named).filter(|home| !home.as_os_str().is_empty());
    let named = named.map(|home| {
        let jdk = Jdk::in_folder(&home);
        jdk.unwrap_or_else(|| panic!("{} is no Java home", home.display()))
    });
    jdks_found().into_iter().chain(named).collect()
}

fn jdks_found() -> Vec<Jdk> {
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
        let done = Command::new(jdks_found()[0].tool("javac"))
            .args(["--release", "11", "-d"])
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

/// Half of a heap of 64 MB is a reserve of the first ZGC.
fn heap_mb(jdk: &Jdk, asked: &Asked) -> u64 {
    match (asked.collector, jdk.feature) {
        ("Z", ..15) => 128,
        _ => 64,
    }
}

/// `None` when this JVM lacks the collector.
fn record(jdk: &Jdk, asked: &Asked, megabytes: u32) -> Option<Recorded> {
    let folder = tempfile::tempdir().unwrap();
    let log = |what: &str, file: &str, decorations: &str| {
        format!(
            "-Xlog:{what}:file={}/{file}:{decorations}",
            folder.path().display()
        )
    };
    let heap = heap_mb(jdk, asked);
    // What the program itself writes stands between the lines of this one.
    let mixed = folder.path().join("mixed.log");
    let run = Command::new(jdk.tool("java"))
        .args([format!("-Xmx{heap}m"), format!("-Xms{heap}m")])
        .arg("-XX:+UnlockExperimentalVMOptions")
        .args(asked.options)
        .arg(log("gc*", "all-tags.log", "uptime,level,tags"))
        .arg(log("gc", "plain.log", "uptime,level,tags"))
        .arg(log("gc*", "bare.log", "none"))
        .arg(log("gc*", "millis.log", "uptimemillis"))
        .arg(log("gc*,safepoint", "everything.log", EVERY))
        .arg(log(
            "gc*",
            "rotated.log",
            "uptime,level,tags:filecount=1000,filesize=4k",
        ))
        .args(["-Xlog:gc*:stdout:uptime,level,tags", "-Dtalks=true"])
        .arg("-cp")
        .arg(recorder())
        .args(["Recorder", &megabytes.to_string()])
        .arg(folder.path())
        .stdout(std::fs::File::create(&mixed).unwrap())
        .output()
        .unwrap();
    let told = std::fs::read_to_string(&mixed).unwrap();
    let errors = String::from_utf8(run.stderr).unwrap();
    let is_refused = [&told, &errors]
        .iter()
        .any(|text| text.contains(asked.refusal));
    if !run.status.success() && is_refused {
        return None;
    }
    assert!(run.status.success(), "{errors}{told}");
    Some(read(folder, &told))
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

/// The files of a rotation as they were when the beans were read, in their order.
fn rotation(recorded: &Recorded) -> Vec<u8> {
    let folder = recorded.folder.path().join("at-rest");
    let files = std::fs::read_dir(folder).unwrap();
    let files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() > 1, "nothing was rotated: {files:?}");
    let parts = tacho_gc_log::parts(&files).unwrap();
    let contents = parts.iter().map(|part| std::fs::read(part.path()).unwrap());
    contents.collect::<Vec<_>>().concat()
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
fn agree(name: &str, (collector, nested): (&str, u64), recorded: &Recorded, summary: &GcSummary) {
    let of = |is: &dyn Fn(&str) -> bool, beans: &[&str]| {
        let (count, total) = pauses(summary, is);
        let counted: u64 = beans.iter().map(|bean| recorded.beans[*bean].0).sum();
        let millis: u64 = beans.iter().map(|bean| recorded.beans[*bean].1).sum();
        assert_eq!(count, counted, "{name}: {beans:?}");
        let log = total * 1000.0;
        // Beans round down to whole milliseconds, lines to whole microseconds.
        let (least, most) = match collector {
            "Shenandoah" | "generational Shenandoah" => {
                (0.0, millis as f64 + 1.0 + 0.001 * count as f64)
            }
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
        // The bean counts a young collection that ended as a full one, too; in the log it is one
        // pause.
        "Serial" if nested > 0 => {
            let (count, _) = pauses(summary, is_young);
            assert_eq!(count + nested, recorded.count("Copy"), "{name}");
            of(&is_full, &["MarkSweepCompact"]);
        }
        "Serial" => {
            of(&is_young, &["Copy"]);
            of(&is_full, &["MarkSweepCompact"]);
        }
        "Parallel" => {
            of(&is_young, &["PS Scavenge"]);
            of(&is_full, &["PS MarkSweep"]);
        }
        "CMS" => {
            let (young, _) = pauses(summary, is_young);
            assert_eq!(young + nested, recorded.count("ParNew"), "{name}");
            // Its bean counts a cycle once, with both of its stops, and one that a full collection
            // takes over with that.
            let (full, _) = pauses(summary, is_full);
            let begun = pauses(summary, |kind| kind == "Initial Mark").0;
            let counted = recorded.count("ConcurrentMarkSweep");
            assert!(
                (full.max(begun)..=full + begun).contains(&counted),
                "{name}: {full} full, {begun} begun, {counted} counted"
            );
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
        // Until JDK 16 the bean counts cycles alone.
        "Z" if recorded.beans.contains_key("ZGC") => {
            assert_eq!(cycles(summary), recorded.count("ZGC"), "{name}");
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
        // Its bean counts a cycle again whenever marking of the old generation is taken up or left.
        "generational Shenandoah" => of(&|_| true, &["Shenandoah Pauses"]),
        other => panic!("{other}"),
    }
}

/// What a script of another kind counts: the number of pauses, their sum and the longest in
/// nanoseconds, and full collections that were within a young one.
fn counted(log: &[u8]) -> [u64; 4] {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/unified/count-pauses.pl");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), log).unwrap();
    let run = Command::new("perl")
        .args([&script, file.path()])
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
    let told = String::from_utf8(run.stdout).unwrap();
    let numbers = told.trim().split('\t').map(|cell| cell.parse().unwrap());
    numbers.collect::<Vec<u64>>().try_into().unwrap()
}

fn said(summary: &GcSummary) -> [u64; 3] {
    let nanoseconds = |seconds: f64| (seconds * 1e9).round() as u64;
    let longest = summary.pauses.quantiles_ms.map_or(0.0, |q| q.max / 1e3);
    [
        summary.pauses.count,
        nanoseconds(summary.pauses.total_s),
        nanoseconds(longest),
    ]
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
    let mut missing = 0;
    for (id, recorded) in &recorded.recording {
        // A cycle that is given up at once has no pause.
        let (count, logged) = logged.get(id).copied().unwrap_or((0, 0));
        if *recorded > 0 && count == 0 {
            missing += 1;
            continue;
        }
        // The recording measures around a pause what the log measures within it: some 0.1 ms each.
        let around = 100_000.0 * count.max(1) as f64;
        differences.push((logged as f64 - *recorded as f64).abs() / (*recorded as f64 + around));
    }
    // A young collection that ended as a full one is told as that.
    assert_eq!(missing, counted(log)[3], "{name}: collections are missing");
    differences.sort_by(f64::total_cmp);
    let median = differences[differences.len() / 2];
    assert!(median < 0.25, "{name}: differences of {differences:?}");
}

fn every_launch(asked: &Asked, megabytes: u32) {
    let collector = asked.collector;
    let mut launches = 0;
    for jdk in jdks() {
        let Some(recorded) = record(&jdk, asked, megabytes) else {
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
            "rotated.log",
            "mixed.log",
            "plain.log",
        ] {
            let bytes = match log {
                "rotated.log" => rotation(&recorded),
                _ => recorded.log(log),
            };
            let summary = summary(&bytes);
            assert_eq!(summary.lines.examples, [], "{}", name(log));
            assert_eq!(summary.lines.cut_off, 0, "{}", name(log));
            let [count, total, longest, nested] = counted(&bytes);
            assert_eq!(said(&summary), [count, total, longest], "{}", name(log));
            agree(&name(log), (collector, nested), &recorded, &summary);
            let is_whole = log != "rotated.log" && log != "plain.log";
            if is_whole || (log == "plain.log" && collector != "Z") {
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
        for (log, other) in &logs[1..6] {
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
        let heap = heap_mb(&jdk, asked) << 20;
        largest_heap(&name(""), (collector, heap), &recorded, whole);
        allocation(&name(""), collector, &recorded, whole);
        safepoints(&name(""), &logs[1].1);
    }
    eprintln!("{collector} {:?}: {launches} JVMs", asked.options);
    assert!(
        launches > 0 || is_of_some_only(asked),
        "no JDK here has {collector}"
    );
}

/// These are not in JDK 17 or 25.
fn is_of_some_only(asked: &Asked) -> bool {
    asked.refusal != "not supported"
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
fn largest_heap(
    name: &str,
    (collector, heap): (&str, u64),
    recorded: &Recorded,
    summary: &GcSummary,
) {
    // Said since JDK 15.
    let said = summary.settings.max_heap_bytes;
    assert!(said.is_none_or(|bytes| bytes == heap), "{name}: {said:?}");
    let capacity = summary.heap.max_capacity_bytes.unwrap();
    if collector == "Parallel" {
        // Survivor spaces change their size; the largest capacity was with the smallest.
        assert!(
            capacity >= recorded.max_heap && capacity <= heap,
            "{name}: {capacity}"
        );
    } else {
        assert_eq!(capacity, recorded.max_heap, "{name}");
    }
    assert!(summary.heap.max_used_bytes.unwrap() <= heap);
}

/// Beside the program's thread, those of the JVM allocate a little. An array larger than half a
/// region has whole regions to itself (G1). ZGC counts pages of 2 MB, and each cycle leaves those
/// unfilled that threads have: the program's, another of the JVM, and those that move objects,
/// which are more the longer a cycle takes on a busy machine (seen: 2.3 to 8 MB a cycle). In a heap
/// of 64 MB that is a good part; with 512 MB the log is within 8 % of the JVM.
fn allocation(name: &str, collector: &str, recorded: &Recorded, summary: &GcSummary) {
    let logged = summary.allocation.as_ref().unwrap();
    let ratio = logged.bytes as f64 / recorded.allocated as f64;
    let most = match collector {
        // Until JDK 14 its medium pages are of 32 MB, whatever the heap.
        "Z" if recorded.beans.contains_key("ZGC") => 3.0,
        "Z" => 1.1 + unfilled_by_zgc(recorded) / recorded.allocated as f64,
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

/// At most, in bytes: five pages of 2 MB a cycle.
fn unfilled_by_zgc(recorded: &Recorded) -> f64 {
    recorded.counts("Cycles") as f64 * 5.0 * 2.0 * 1024.0 * 1024.0
}

/// Collections stop the program at safepoints, which take longer than their pauses.
fn safepoints(name: &str, summary: &GcSummary) {
    let safepoints = summary.safepoints.as_ref().unwrap();
    assert!(safepoints.total_s >= summary.pauses.total_s * 0.9, "{name}");
    assert!(safepoints.reaching_s < safepoints.total_s, "{name}");
}

#[test]
fn serial() {
    every_launch(&SERIAL, 300);
}

#[test]
fn parallel() {
    every_launch(&PARALLEL, 300);
}

#[test]
fn g1() {
    every_launch(&G1, 300);
}

#[test]
fn zgc() {
    every_launch(&ZGC, 300);
}

#[test]
fn shenandoah() {
    every_launch(&SHENANDOAH, 300);
}

#[test]
fn cms() {
    every_launch(&CMS, 300);
}

#[test]
fn generational_zgc() {
    every_launch(&GENERATIONAL_ZGC, 300);
}

#[test]
fn generational_shenandoah() {
    every_launch(&GENERATIONAL_SHENANDOAH, 300);
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

/// Minor collections have larger numbers than the major one that they run within, and all is over
/// within the slack of the clock.
#[test]
fn a_quick_rotation_of_two_generations_is_read_in_its_order() {
    let folder = tempfile::tempdir().unwrap();
    let lines = [
        (
            "gc.log.0",
            "[0.301s][info][gc] GC(4) Major Collection (Warmup)\n",
        ),
        (
            "gc.log.1",
            "[0.301s][info][gc] GC(9) Minor Collection (Allocation Rate) 9M(1%)->1M(1%) 0.001s\n",
        ),
        (
            "gc.log.2",
            "[0.302s][info][gc] GC(4) Major Collection (Warmup) 9M(1%)->1M(1%) 0.001s\n",
        ),
        (
            "gc.log.3",
            "[0.302s][info][gc] GC(10) Minor Collection (Allocation Rate) 9M(1%)->1M(1%) 0.001s\n",
        ),
    ];
    let mut files: Vec<PathBuf> = Vec::new();
    for (name, line) in lines {
        files.push(folder.path().join(name));
        std::fs::write(folder.path().join(name), line).unwrap();
    }
    let mixed: Vec<PathBuf> = [2, 0, 3, 1].map(|i| files[i].clone()).into();
    let parts = tacho_gc_log::parts(&mixed).unwrap();
    let order: Vec<_> = parts.iter().map(|part| part.path().to_owned()).collect();
    assert_eq!(order, files);
}

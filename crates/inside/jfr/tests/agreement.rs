//! A launch that records and logs its collections at once: what the reader of recordings says is
//! what the reader of logs says, for the collectors of JDK 17 and 25. G1 in every run of the tests,
//! the others by `make test-gc-agreement`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use tacho_gc_log::{HeapChange, Reader, What};
use tacho_jfr::{JfrError, Reading, Summary, flags, read};
use tacho_run_folder::FlightRecording;
use tacho_subject::{Host, Jdk, Jdks};

/// Spread over nearly a second, since the recorder takes only a bounded number of samples a second
/// and what comes after the last one is in none. Short-lived garbage beside a live set of 16 MB
/// whose objects grow old and die, and 3 MiB of direct buffers.
const PROGRAM: &str = r#"
import java.nio.ByteBuffer;

public class Allocates {
    static volatile byte[] last;
    static final ByteBuffer DIRECT = ByteBuffer.allocateDirect(3 << 20);

    public static void main(String[] arguments) throws Exception {
        byte[][] live = new byte[2_000][];
        for (int i = 0; i < 40_000; i++) {
            if (i % 100 == 0) {
                Thread.sleep(2);
            }
            last = new byte[8 * 1024];
            if (i % 4 == 0) {
                live[(i / 4) % live.length] = last;
            }
        }
        System.gc();
        // The statistics are written once a second, on a busy machine later.
        Thread.sleep(6_000);
    }
}
"#;

fn jdks() -> Vec<Jdk> {
    let found = Jdks::discover(&Host::here());
    let of = |feature| {
        let all = found.all().iter();
        all.filter(move |jdk| jdk.feature == feature && jdk.is_full())
    };
    let jdks: Vec<Jdk> = [17, 25]
        .into_iter()
        .filter_map(|feature| of(feature).next())
        .cloned()
        .collect();
    assert!(!jdks.is_empty(), "these tests need a JDK 17 or 25");
    jdks
}

fn program() -> &'static Path {
    static CLASSES: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = CLASSES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("Allocates.java"), PROGRAM).unwrap();
        let made = Command::new(jdks()[0].tool("javac"))
            .args(["--release", "17", "Allocates.java"])
            .current_dir(folder.path())
            .status()
            .unwrap();
        assert!(made.success());
        folder
    });
    folder.path()
}

struct Launch {
    folder: tempfile::TempDir,
    jdk: Jdk,
}

impl Launch {
    /// `None` when this JVM lacks the collector.
    fn of(jdk: &Jdk, collector: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("memory.jfc"), tacho_jfr::MEMORY).unwrap();
        let run = Command::new(jdk.tool("java"))
            .args(["-Xmx64m", "-Xms64m", "-XX:NativeMemoryTracking=summary"])
            .arg(format!("-XX:+Use{collector}GC"))
            .arg(format!(
                "-Xlog:gc*:file={}:uptime,level,tags",
                at("gc.log").display()
            ))
            .args(flags(&at("memory.jfc"), &at("recording.jfr")).unwrap())
            .arg("-cp")
            .arg(program())
            .arg("Allocates")
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&run.stderr);
        if errors.contains("Option -XX:+Use") && errors.contains("not supported") {
            return None;
        }
        assert!(run.status.success(), "{errors}");
        assert_eq!(
            String::from_utf8_lossy(&run.stdout),
            "",
            "the recorder says nothing on the subject's output"
        );
        Some(Self {
            folder,
            jdk: jdk.clone(),
        })
    }

    fn recording(&self) -> PathBuf {
        self.folder.path().join("recording.jfr")
    }

    /// Collections as the recording has them, and what it adds up to.
    fn recorded(&self) -> (Collections, FlightRecording) {
        let stop = AtomicBool::new(false);
        let reading = Reading {
            recording: &self.recording(),
            java: &self.jdk.tool("java"),
            stop: &stop,
        };
        let (mut collections, mut summary) = (Collections::default(), Summary::default());
        read(&reading, &mut |event| {
            summary.add(event);
            let event = event.expect("a line that is not understood");
            let number = |name| event.number(name).unwrap();
            match event.kind.as_str() {
                "jdk.GarbageCollection" => {
                    let pauses_ns = number("sumOfPauses");
                    collections.sums.insert(number("gcId"), pauses_ns);
                }
                "jdk.GCPhasePause" => collections.pause(number("gcId"), number("duration")),
                "jdk.GCHeapSummary" if event.text("when").unwrap().starts_with("Before") => {
                    collections.heap(number("heapUsed"));
                }
                _ => {}
            }
        })
        .unwrap();
        (collections, summary.finish())
    }

    fn logged(&self, collector: &str) -> Collections {
        let log = std::fs::read(self.folder.path().join("gc.log")).unwrap();
        let mut collections = Collections::default();
        let mut reader = Reader::default();
        let mut take = |event: &tacho_gc_log::Event<'_>| match event.what {
            // Serial gives a young collection up when what survives would find no room, and
            // collects everything: that is no event.
            What::Pause(pause)
                if collector == "Serial"
                    && pause.heap.is_some_and(|heap| heap.before == heap.after) => {}
            What::Pause(pause) => {
                collections.pause(event.collection.unwrap(), pause.duration);
                collections.heap(before(pause.heap));
            }
            What::Cycle(cycle) => collections.heap(before(cycle.heap)),
            // Where nothing had to be collected in a pause, Shenandoah says it of its clean-up
            // alone.
            What::Concurrent(phase) => collections.heap(before(phase.heap)),
            _ => {}
        };
        reader.feed(&log, &mut take);
        let _ = reader.end(&mut take);
        collections
    }
}

fn before(heap: Option<HeapChange>) -> u64 {
    heap.map_or(0, |heap| heap.before)
}

/// What both say of the collections of a launch.
#[derive(Debug, Default)]
struct Collections {
    /// By the number of the collection: its pauses in nanoseconds.
    pauses: BTreeMap<u64, Vec<u64>>,
    /// By the number of the collection: the sum of pauses as the recording has it.
    sums: BTreeMap<u64, u64>,
    /// The fullest heap before a collection.
    highest: u64,
}

impl Collections {
    fn pause(&mut self, id: u64, ns: u64) {
        self.pauses.entry(id).or_default().push(ns);
    }

    fn heap(&mut self, bytes: u64) {
        self.highest = self.highest.max(bytes);
    }
}

fn agree(jdk: &Jdk, collector: &str) -> bool {
    let Some(launch) = Launch::of(jdk, collector) else {
        return false;
    };
    let name = format!("JDK {} {collector}", jdk.feature);
    let (recorded, summary) = launch.recorded();
    let logged = launch.logged(collector);
    // The recording begins a little after the JVM and ends a little before it.
    let (first, last) = (
        *recorded.sums.keys().next().unwrap(),
        *recorded.sums.keys().last().unwrap(),
    );
    let within = |pauses: &BTreeMap<u64, Vec<u64>>| -> BTreeMap<u64, usize> {
        let of = pauses.range(first..=last);
        of.map(|(id, all)| (*id, all.len())).collect()
    };
    assert_eq!(
        within(&recorded.pauses),
        within(&logged.pauses),
        "{name}: pauses by collection"
    );
    assert!(recorded.sums.len() > 3, "{name}: too little was collected");
    let counted: u64 = summary.collections.iter().map(|c| c.count).sum();
    assert_eq!(counted, recorded.sums.len() as u64, "{name}");

    // Times: the recording measures around a pause what the log measures within it, up to 0.1 ms
    // each; so it never says less. A thread that is not scheduled between the two clocks makes one
    // pause longer, not most of them: that it says no more is seen by the half that differs least.
    let mut times: Vec<(u64, u64)> = recorded
        .sums
        .iter()
        .map(|(id, sum)| (*sum, logged.pauses.get(id).into_iter().flatten().sum()))
        .collect();
    times.sort_by_key(|(ours, log)| ours.abs_diff(*log));
    let sums = |times: &[(u64, u64)]| {
        let ours: u64 = times.iter().map(|(ours, _)| ours).sum();
        let log: u64 = times.iter().map(|(_, log)| log).sum();
        let slack = log / 10 + 100_000 * times.len() as u64;
        (ours, log, slack)
    };
    let (ours, log, slack) = sums(&times);
    assert!(ours + slack >= log, "{name}: {ours} {log} {times:?}");
    times.truncate(times.len().div_ceil(2));
    let (ours, log, slack) = sums(&times);
    assert!(ours <= log + slack, "{name}: {ours} {log} {times:?}");

    // The log rounds to MiB, and counts a page or a region that was given out meanwhile.
    let apart = recorded.highest.abs_diff(logged.highest);
    assert!(
        apart <= 4 << 20,
        "{name}: {} {}",
        recorded.highest,
        logged.highest
    );
    assert!(
        summary.highest_heap_bytes >= Some(recorded.highest),
        "{name}"
    );

    // What only the recording has. What was allocated after the last sample of a thread is in none.
    let allocation = summary.allocation.as_ref().unwrap();
    assert!(allocation.bytes > 20 << 20, "{name}: {allocation:?}");
    let top = &allocation.sites[0];
    assert!(
        top.frames[0].starts_with("Allocates.main:") && top.share > 0.5,
        "{name}: {allocation:?}"
    );
    assert_eq!(top.class, "byte[]");
    let direct = summary.direct_buffers.unwrap();
    assert!(direct.used_bytes >= 3 << 20, "{name}: {direct:?}");
    assert!(summary.classes.unwrap().loaded > 300, "{name}");
    // Native Memory Tracking in recordings came with JDK 20.
    assert_eq!(summary.native_peaks.is_empty(), jdk.feature < 20, "{name}");
    assert_eq!(summary.events.get("not understood"), None);
    true
}

fn every_jdk(collector: &str) {
    let agreed: Vec<bool> = jdks().iter().map(|jdk| agree(jdk, collector)).collect();
    assert!(agreed.contains(&true), "no JDK here has {collector}");
}

#[test]
fn g1() {
    every_jdk("G1");
}

#[test]
#[ignore = "make test-gc-agreement"]
fn serial() {
    every_jdk("Serial");
}

#[test]
#[ignore = "make test-gc-agreement"]
fn parallel() {
    every_jdk("Parallel");
}

#[test]
#[ignore = "make test-gc-agreement"]
fn zgc() {
    every_jdk("Z");
}

#[test]
#[ignore = "make test-gc-agreement"]
fn shenandoah() {
    every_jdk("Shenandoah");
}

#[test]
fn what_is_no_recording_is_said_to_be_none() {
    let folder = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let java = jdks()[0].tool("java");
    let path = folder.path().join("recording.jfr");
    let with = |java: &Path| {
        let reading = Reading {
            recording: &path,
            java,
            stop: &stop,
        };
        read(&reading, &mut |_| panic!("no event")).unwrap_err()
    };
    assert!(matches!(with(&java), JfrError::NoRecording(_)));
    std::fs::write(&path, b"FLR\0 and nothing more").unwrap();
    let said = with(&java).to_string();
    assert!(said.contains("damaged or cut off"), "{said}");
    // A runtime that cannot read it.
    let said = with(Path::new("/bin/false")).to_string();
    assert!(said.contains("with the module `jdk.jfr`"), "{said}");
}

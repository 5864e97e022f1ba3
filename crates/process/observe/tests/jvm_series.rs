//! `jvm.csv` and `memory.csv` of real JVMs, every collector of every JVM there is
//! (`tacho-test-jdks`), against what the JVM's own management beans say.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};
use tacho_clock as clock;
use tacho_observe::hsperfdata::{Gauge, PerfData};
use tacho_observe::process::{Kind, KnownRanges, ProcessTree};
use tacho_observe::{Sampler, SamplerSpec};
use tacho_run_folder::{JvmSample, MemorySample};
use tacho_test_jdks::{Jdk, jdks, oldest};

/// Holds 20 MiB; at `g` it makes garbage and collects; at every byte it says what its beans say.
const PROGRAM: &str = r#"
import java.lang.management.*;

public class Beans {
    static final byte[][] KEPT = new byte[80][];

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < KEPT.length; i++) {
            KEPT[i] = new byte[256 * 1024];
        }
        System.out.println("up");
        int asked;
        while ((asked = System.in.read()) >= 0) {
            if (asked == 'g') {
                collect();
            }
            say();
        }
    }

    static void collect() {
        for (int i = 0; i < 400; i++) {
            KEPT[0] = new byte[256 * 1024];
        }
        System.gc();
    }

    static void say() {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        StringBuilder line = new StringBuilder("heap=" + heap.getUsed() + " committed=" + heap.getCommitted());
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getName().equals("Metaspace")) {
                line.append(" metaspace=" + pool.getUsage().getUsed());
            }
        }
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            line.append(" " + collector.getName().replace(' ', '-') + "=" + collector.getCollectionCount());
        }
        line.append(" classes=" + ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
        System.out.println(line);
    }
}
"#;

struct Program(tempfile::TempDir);

impl Program {
    /// Compiled for every JVM that may run it.
    fn compile() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("Beans.java"), PROGRAM).unwrap();
        let made = oldest()
            .tool("javac")
            .current_dir(&dir)
            .args(["--release", "11", "Beans.java"])
            .status()
            .unwrap();
        assert!(made.success());
        Self(dir)
    }

    fn start(&self, jdk: &Jdk, flags: &[&str], gc_log: &Path) -> Running {
        let log = format!(
            "-Xlog:gc*,gc+heap+coops=debug:file=\"{}\"",
            gc_log.display()
        );
        let mut child = jdk
            .tool("java")
            .args(flags)
            .args([&log, "-Xmx256m", "-cp"])
            .arg(self.0.path())
            .arg("Beans")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap() == "up"));
        Running { child, lines }
    }
}

struct Running {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Running {
    /// Has it collect, and returns what its beans say.
    fn collects(&mut self) -> BTreeMap<String, u64> {
        self.asked(b"g")
    }

    /// What its beans say.
    fn says(&mut self) -> BTreeMap<String, u64> {
        self.asked(b"s")
    }

    fn asked(&mut self, what: &[u8]) -> BTreeMap<String, u64> {
        self.child.stdin.as_mut().unwrap().write_all(what).unwrap();
        let line = self.lines.next().unwrap().unwrap();
        line.split(' ')
            .map(|pair| pair.split_once('=').unwrap())
            .map(|(name, value)| (name.to_owned(), value.parse().unwrap()))
            .collect()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

fn sampler(pid: u32, folder: &Path, gc_log: PathBuf) -> Sampler {
    Sampler::start(SamplerSpec {
        pid,
        group: None,
        exec_ns: clock::monotonic_ns(),
        path: folder.join("samples.csv"),
        memory_path: Some(folder.join("memory.csv")),
        jvm_path: Some(folder.join("jvm.csv")),
        gc_log: Some(gc_log),
        requests: Arc::new(AtomicU64::new(0)),
    })
    .unwrap()
}

fn read<T>(
    path: &Path,
    read: impl Fn(BufReader<File>) -> Result<Vec<T>, tacho_run_folder::RowError>,
) -> Vec<T> {
    read(BufReader::new(File::open(path).unwrap())).unwrap()
}

/// The beans that count what a column counts.
fn beans(said: &BTreeMap<String, u64>, names: &[&str]) -> Option<u64> {
    names
        .iter()
        .filter_map(|name| said.get(*name))
        .copied()
        .reduce(|a, b| a + b)
}

/// Waits until the JVM's own counters of its heap are near what its beans have said: a task of the
/// JVM brings them up to date every 50 ms, or when it gets a processor. If they never are, the
/// series will show it.
fn wait_for_counters(pid: u32, said: &BTreeMap<String, u64>, slack: Slack) {
    let mut gauge = Gauge::new(PerfData::open(pid).unwrap());
    let begin = Instant::now();
    let mut are_near = || {
        let now = gauge.read(0.0).unwrap();
        let near = |seen: Option<u64>, said, slack| seen.is_some_and(|s| s.abs_diff(said) <= slack);
        near(now.heap_used_bytes, said["heap"], slack.used)
            && near(now.heap_capacity_bytes, said["committed"], slack.capacity)
    };
    while !are_near() && begin.elapsed().as_secs() < 60 {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// By how much counters and beans may differ, in bytes.
#[derive(Clone, Copy)]
struct Slack {
    used: u64,
    capacity: u64,
}

#[test]
fn the_series_say_what_the_beans_say_for_every_collector() {
    const MIB: u64 = 1 << 20;
    let program = Program::compile();
    for jdk in jdks() {
        let mut collectors = 0;
        for flag in ["Serial", "Parallel", "G1", "Z", "Shenandoah"] {
            let name = format!("{} of JDK {}", flag, jdk.release);
            let flag = format!("-XX:+Use{flag}GC");
            let known = jdk.tool("java").args([&flag, "-version"]).output().unwrap();
            if !known.status.success() {
                continue; // Not every build brings every collector.
            }
            collectors += 1;
            let folder = tempfile::tempdir().unwrap();
            let log = folder.path().join("gc.log");
            let mut jvm = program.start(jdk, &[&flag], &log);
            let sampler = sampler(jvm.child.id(), folder.path(), log);
            let first = jvm.collects();
            let said = jvm.collects();
            // G1 counts whole regions; ZGC writes its counter in its pauses, before the garbage is
            // gone.
            let used = if flag.contains("UseZ") { 40 } else { 6 };
            let slack = Slack {
                used: used * MIB,
                capacity: 16 * MIB,
            };
            wait_for_counters(jvm.child.id(), &said, slack);
            sampler.stop().unwrap();
            let after = jvm.says();

            let series = read(&folder.path().join("jvm.csv"), JvmSample::read);
            let last = *series.last().unwrap();
            let near = |seen: Option<u64>, said: u64, slack: u64| {
                let seen = seen.unwrap();
                assert!(
                    seen.abs_diff(said) <= slack,
                    "{name}: {seen} {said}\n{last:?}\n{said}"
                );
            };
            near(last.heap_used_bytes, said["heap"], slack.used);
            assert!(
                last.heap_used_bytes.unwrap() >= 20 * MIB,
                "{name}: {last:?}"
            );
            near(last.heap_capacity_bytes, said["committed"], slack.capacity);
            // Class space is in the pool's figure as in ours; the beans' own classes came after.
            near(last.metaspace_used_bytes, said["metaspace"], 2 * MIB);
            near(last.classes_loaded, said["classes"], 60);
            assert!(last.safepoints.unwrap() > 0 && last.safepoint_s.unwrap() > 0.0);
            assert!(last.compilations.unwrap() > 0 && last.compile_s.unwrap() > 0.0);
            assert!(series.is_sorted_by(|a, b| a.safepoints <= b.safepoints));
            // Whatever its threads are called, it has collected twice: the last line always has
            // their time.
            let cpu: Vec<f64> = series.iter().filter_map(|s| s.collector_cpu_s).collect();
            assert!(last.collector_cpu_s.unwrap() > 0.001, "{name}: {last:?}");
            assert!(cpu.is_sorted(), "{name}: {cpu:?}");

            let young = beans(&said, &["Copy", "PS-Scavenge", "G1-Young-Generation"]);
            let full = beans(
                &said,
                &["MarkSweepCompact", "PS-MarkSweep", "G1-Old-Generation"],
            );
            if let (Some(young), Some(full)) = (young, full) {
                assert_eq!(last.young_collections, Some(young), "{name}: {said:?}");
                assert_eq!(last.full_collections, Some(full), "{name}: {said:?}");
                assert_eq!(full, 2, "{name}: {said:?}");
                assert!(last.full_s.unwrap() > 0.0);
            } else {
                // Mostly concurrent: the beans count pauses, as the JVM's counters do, but for
                // Shenandoah. ZGC begins a cycle of its own accord when it thinks fit, also after
                // the beans have spoken.
                let pauses = |said| beans(said, &["ZGC-Pauses", "ZGC-Major-Pauses"]);
                let (before, after) = (pauses(&said), pauses(&after));
                assert!(
                    before <= last.concurrent_pauses && last.concurrent_pauses <= after,
                    "{name}: {said:?} {last:?} {after:?}"
                );
                assert_eq!(before.is_some(), flag.contains("UseZ"), "{said:?}");
                assert_eq!(last.full_collections, None, "{name}");
            }
            assert!(first["classes"] <= said["classes"]);

            let memory = read(&folder.path().join("memory.csv"), MemorySample::read);
            let last = *memory.last().unwrap();
            assert!(
                last.java_heap_bytes.unwrap() >= 20 * MIB,
                "{name}: {last:?}"
            );
            assert!(last.code_cache_bytes.unwrap() > 0, "{name}: {last:?}");
            assert!(last.class_archive_bytes.unwrap() > 0, "{name}: {last:?}");
            // At least the main thread, the collector's, and the compilers'.
            assert!(last.stack_bytes.unwrap() > 100 << 10, "{name}: {last:?}");
        }
        assert!(
            collectors >= 3,
            "JDK {} has {collectors} collectors",
            jdk.release
        );
    }
}

#[test]
fn every_thread_of_a_jvm_has_a_stack_and_nothing_else_is_one() {
    let program = Program::compile();
    let folder = tempfile::tempdir().unwrap();
    for jdk in jdks() {
        let log = folder.path().join("gc.log");
        let jvm = program.start(jdk, &["-XX:+UseG1GC"], &log);
        let pid = jvm.child.id();
        let counted = (0..5).map(|_| stacks_and_threads(pid));
        let apart = |(stacks, threads): &(usize, usize)| stacks.abs_diff(*threads);
        let nearest = counted.min_by_key(apart).unwrap();
        // One may be starting or ending; libc keeps the stack of one that has ended for the next.
        assert!(
            apart(&nearest) <= 3,
            "JDK {}: {nearest:?} stacks and threads",
            jdk.release
        );
    }
}

/// Read one after the other: some may have come or gone between.
fn stacks_and_threads(pid: u32) -> (usize, usize) {
    let threads = ProcessTree::new(pid, None).usage().threads;
    let mut text = String::new();
    tacho_observe::process::read_smaps(pid, &mut text).unwrap();
    let mappings = tacho_observe::process::parse_smaps(&text);
    let kinds = tacho_observe::process::kinds(&mappings, &KnownRanges::default());
    let stacks = kinds.iter().filter(|kind| **kind == Kind::Stack).count();
    (stacks, threads as usize)
}

//! Real JVMs, all there are (`tacho-test-jdks`): what is seen from outside against what
//! the JVM says of itself.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use tacho_cgroup::{GroupLimits, Hierarchy};
use tacho_observe::hsperfdata::{self, Counters, PerfDataError, Value, Variability};
use tacho_observe::jvm::{self, ClassCounts};
use tacho_observe::process::maps_file;
use tacho_run_folder::Collector;
use tacho_test_jdks::{Jdk, jdks, jvms, oldest};

/// Classes of the application itself, which the JDK's own archive does not hold.
const OWN_CLASSES: u64 = 60;

/// A program that loads its classes, says that it is up and waits for the end of its input.
fn program() -> String {
    let numbers = 0..OWN_CLASSES;
    let classes: String = numbers
        .clone()
        .map(|i| format!("class Own{i} {{}}\n"))
        .collect();
    let loads: String = numbers.map(|i| format!("new Own{i}();\n")).collect();
    format!(
        "{classes}
        public class Idle {{
            public static void main(String[] a) throws Exception {{
                {loads}
                System.out.println(\"up\");
                System.in.read();
            }}
        }}"
    )
}

/// The program in a jar.
fn jar() -> &'static Path {
    static JAR: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, jar) = JAR.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("Idle.java"), program()).unwrap();
        let oldest = oldest();
        let run = |tool: &mut Command| assert!(tool.current_dir(&dir).status().unwrap().success());
        run(oldest
            .tool("javac")
            .args(["--release", "11", "-d", "classes", "Idle.java"]));
        run(oldest
            .tool("jar")
            .args(["cfe", "idle.jar", "Idle", "-C", "classes", "."]));
        let jar = dir.path().join("idle.jar");
        (dir, jar)
    });
    jar
}

struct Jvm(Child);

impl Jvm {
    fn start(jdk: &Jdk, flags: &[&str]) -> Self {
        Self::from(jdk.tool("java").args(flags))
    }

    fn from(command: &mut Command) -> Self {
        let mut child = command
            .arg("-jar")
            .arg(jar())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(
            lines.any(|line| line.unwrap() == "up"),
            "the JVM ended by itself"
        );
        Self(child)
    }

    fn pid(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Jvm {
    fn drop(&mut self) {
        // The end of its input ends it in order, so that it removes its performance memory.
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// What `jcmd PerfCounter.print` says, by name. It gives up when a JVM has not let it in for ten
/// seconds.
fn by_jcmd(jdk: &Jdk, pid: u32) -> BTreeMap<String, String> {
    (0..5)
        .map(|_| by_jcmd_once(jdk, pid))
        .find(|said| !said.is_empty())
        .unwrap_or_default()
}

fn by_jcmd_once(jdk: &Jdk, pid: u32) -> BTreeMap<String, String> {
    let output = jdk
        .tool("jcmd")
        .args([&pid.to_string(), "PerfCounter.print"])
        .output()
        .unwrap();
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .filter_map(|line| line.split_once('='))
        // Made up by jcmd from the prologue.
        .filter(|(name, _)| !name.starts_with("sun.perfdata."))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

#[test]
fn every_counter_agrees_with_what_jcmd_prints() {
    for jdk in jvms() {
        let jvm = Jvm::start(jdk, &["-XX:+UseSerialGC", "-Djava.io.tmpdir=/var/tmp"]);
        let before = hsperfdata::read(jvm.pid()).unwrap();
        let said = by_jcmd(jdk, jvm.pid());
        let after = hsperfdata::read(jvm.pid()).unwrap();
        assert!(said.len() > 100, "{}: {}", jdk.release, said.len());
        for (name, value) in &said {
            agrees(name, value, &before, &after);
        }
        let unsaid: Vec<_> = before
            .iter()
            .filter(|(n, _)| !said.contains_key(*n))
            .collect();
        assert!(unsaid.is_empty(), "{}: {unsaid:?}", jdk.release);
    }
}

fn agrees(name: &str, said: &str, before: &Counters, after: &Counters) {
    let counter = after
        .get(name)
        .unwrap_or_else(|| panic!("{name} is missing"));
    match &counter.value {
        Value::Text(text) if counter.variability == Variability::Constant => {
            assert_eq!(said, format!("\"{text}\""), "{name}");
        }
        Value::Text(_) => assert!(said.starts_with('"'), "{name}: {said}"),
        Value::Long(now) => {
            let said: i64 = said.parse().unwrap();
            let earlier = before.long(name).unwrap();
            match counter.variability {
                Variability::Constant => assert_eq!(said, *now, "{name}"),
                Variability::Monotonic => {
                    assert!(
                        (earlier..=*now).contains(&said),
                        "{name}: {earlier} {said} {now}"
                    );
                }
                _ => {}
            }
        }
    }
}

#[test]
fn every_collector_and_what_the_jvm_made_of_its_surroundings_is_seen() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("gc-init.log");
    for jdk in jdks() {
        let mut known = 0;
        for (flag, collector) in [
            ("-XX:+UseSerialGC", "Serial"),
            ("-XX:+UseParallelGC", "Parallel"),
            ("-XX:+UseG1GC", "G1"),
            ("-XX:+UseZGC", "ZGC"),
            ("-XX:+UseShenandoahGC", "Shenandoah"),
            ("-XX:+UseEpsilonGC", "Epsilon"),
        ] {
            let flags = [flag, "-XX:+UnlockExperimentalVMOptions", "-Xmx64m"];
            let has_it = jdk
                .tool("java")
                .args(flags)
                .arg("-version")
                .output()
                .unwrap();
            if !has_it.status.success() {
                continue; // Not every build brings every collector.
            }
            known += 1;
            let init = format!("-Xlog:gc+init:file={}", log.display());
            let mut all = flags.to_vec();
            all.extend(["-XX:ActiveProcessorCount=1", &init]);
            let jvm = Jvm::start(jdk, &all);
            let seen = jvm::seen(jvm.pid(), Some(&log)).unwrap();
            let context = format!("{} {collector}: {seen:?}", jdk.release);
            let named = seen.collector.as_ref().map(ToString::to_string);
            assert_eq!(named.as_deref(), Some(collector), "{context}");
            assert_eq!(seen.max_heap_bytes, Some(64 << 20), "{context}");
            assert!(seen.memory_bytes.unwrap() > 64 << 20, "{context}");
            let release = format!("{}.", jdk.release);
            assert!(seen.version.unwrap().starts_with(&release), "{context}");
            assert_eq!(seen.processors, Some(1), "{context}");
            // The JDK's own classes come from its default archive.
            assert!(seen.classes_loaded.unwrap() > 300, "{context}");
            assert!(seen.classes_shared.unwrap() > 300, "{context}");
            assert!(seen.classes_loaded > seen.classes_shared, "{context}");
        }
        assert!(known >= 3, "JDK {}", jdk.release);
    }
}

#[test]
fn a_limit_is_seen_by_the_jvm() {
    let hierarchy = Hierarchy::detect().unwrap();
    let described = hierarchy.describe();
    if !(described.can_limit_cpu && described.can_limit_memory) {
        let root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
        assert!(!root, "root, but: {}", described.remedies.join("; "));
        eprintln!("not tested, because this user may not make control groups");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for jdk in jdks() {
        let limits = GroupLimits {
            cpu: Some(1.0),
            memory_bytes: Some(256 << 20),
        };
        let name = format!("test-{}-jvm-{}", std::process::id(), jdk.release);
        let group = hierarchy.create(&name, &limits).unwrap();
        let log = dir.path().join("gc-init.log");
        let script = "n=$1; shift; while [ $n -gt 0 ]; do echo 0 > \"$1\" || exit 9; shift; n=$((n-1)); done; exec \"$@\"";
        let jvm = Jvm::from(
            Command::new("sh")
                .args(["-c", script, "join", &group.join_files().len().to_string()])
                .args(group.join_files())
                .arg(jdk.home.join("bin/java"))
                .arg(format!("-Xlog:gc+init:file={}", log.display())),
        );
        assert!(group.contains(jvm.pid()).unwrap());
        let seen = jvm::seen(jvm.pid(), Some(&log)).unwrap();
        assert_eq!(seen.processors, Some(1), "{seen:?}");
        assert_eq!(seen.memory_bytes, Some(256 << 20), "{seen:?}");
        assert!(seen.max_heap_bytes.unwrap() <= 128 << 20, "{seen:?}");
        assert_eq!(seen.collector, Some(Collector::Serial.into()), "{seen:?}");
    }
}

/// Runs the program once to its end, to write an archive.
fn train(jdk: &Jdk, flag: &str) {
    let trained = jdk
        .tool("java")
        .arg(flag)
        .arg("-jar")
        .arg(jar())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(trained.status.success(), "{trained:?}");
}

fn classes(jvm: &Jvm) -> ClassCounts {
    ClassCounts::of(&hsperfdata::read(jvm.pid()).unwrap()).unwrap()
}

#[test]
fn an_archive_that_is_used_is_mapped_and_serves_the_classes() {
    let dir = tempfile::tempdir().unwrap();
    for jdk in jdks() {
        let mut kinds = vec![(
            "-XX:ArchiveClassesAtExit=",
            "-XX:SharedArchiveFile=",
            "app.jsa",
        )];
        if jdk.release >= 25 {
            kinds.push(("-XX:AOTCacheOutput=", "-XX:AOTCache=", "app.aot"));
        }
        let plain = Jvm::start(jdk, &[]);
        for (to_write, to_use, file) in kinds {
            let archive = dir.path().join(format!("{}-{file}", jdk.release));
            train(jdk, &format!("{to_write}{}", archive.display()));
            let used = Jvm::start(jdk, &[&format!("{to_use}{}", archive.display())]);
            assert!(maps_file(used.pid(), &archive).unwrap(), "{archive:?}");
            assert!(!maps_file(plain.pid(), &archive).unwrap());
            let (with, without) = (classes(&used), classes(&plain));
            assert!(with.shared_share() > 0.99, "{archive:?}: {with:?}");
            assert!(without.shared_share() < 0.95, "{without:?}");
        }
    }
}

#[test]
fn an_archive_that_the_jvm_refuses_silently_shows() {
    let dir = tempfile::tempdir().unwrap();
    let broken = dir.path().join("broken.jsa");
    std::fs::write(&broken, [0; 4096]).unwrap();
    for jdk in jdks() {
        let jvm = Jvm::start(
            jdk,
            &[&format!("-XX:SharedArchiveFile={}", broken.display())],
        );
        assert!(!maps_file(jvm.pid(), &broken).unwrap());
        let counts = classes(&jvm);
        assert!(counts.loaded - counts.shared >= OWN_CLASSES, "{counts:?}");
    }
}

#[test]
fn what_is_no_jvm_or_hides_its_memory_is_said_so() {
    let me = hsperfdata::read(std::process::id()).unwrap_err();
    assert!(matches!(me, PerfDataError::NotThere { .. }), "{me}");
    assert_eq!(jvm::seen(std::process::id(), None), None);
    let jvm = Jvm::start(oldest(), &["-XX:-UsePerfData"]);
    let hidden = hsperfdata::read(jvm.pid()).unwrap_err().to_string();
    assert!(hidden.contains("-XX:-UsePerfData"), "{hidden}");
}

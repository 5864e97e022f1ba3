//! Real JVMs of every JDK from 17 on: the parts add up to the resident set, and what the program
//! holds is found where it is.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/conformance.rs"]
mod conformance;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tacho_memory::{Memory, Wish, read};
use tacho_test_jdks::{Jdk, jdks, oldest};

const MIB: u64 = 1 << 20;

/// Holds 40 MiB of heap and 24 MiB of direct buffers, half of them large, and has made 30 MiB of
/// garbage.
const PROGRAM: &str = r#"
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

public class Holds {
    static final List<Object> KEPT = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 40; i++) {
            KEPT.add(new byte[1 << 20]);
        }
        KEPT.add(ByteBuffer.allocateDirect(12 << 20));
        for (int i = 0; i < 12 * 16; i++) {
            KEPT.add(ByteBuffer.allocateDirect(64 << 10));
        }
        System.gc();
        byte[] garbage = null;
        for (int i = 0; i < 30 * 16; i++) {
            garbage = new byte[64 << 10];
        }
        System.out.println("up " + garbage.length);
        System.in.read();
    }
}
"#;

struct Jvm(Child);

impl Jvm {
    fn start(jdk: &Jdk, folder: &std::path::Path, flags: &[&str]) -> Self {
        let mut child = jdk
            .tool("java")
            .args(flags)
            .args(["-Xms64m", "-Xmx200m", "-cp"])
            .arg(folder)
            .arg("Holds")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().starts_with("up")));
        // Only a hang is longer; whoever attaches next is let in at once.
        tacho_attach::Jvm::attach_within(child.id(), Duration::from_secs(120)).unwrap();
        Self(child)
    }
}

impl Drop for Jvm {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

fn part(memory: &Memory, name: &str) -> u64 {
    memory
        .parts
        .iter()
        .find(|p| p.name == name)
        .map_or(0, |p| p.bytes)
}

fn program() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("Holds.java"), PROGRAM).unwrap();
    // Every JDK here can run what the oldest release asked for compiles to.
    let made = oldest()
        .tool("javac")
        .args(["--release", "17", "Holds.java"])
        .current_dir(&folder)
        .status()
        .unwrap();
    assert!(made.success());
    folder
}

fn is_as_the_schema_says(memory: &Memory) {
    let schema = serde_json::from_str(&tacho_memory::schema().unwrap()).unwrap();
    let faults = conformance::faults(&schema, &serde_json::to_value(memory).unwrap());
    assert!(faults.is_empty(), "{faults:#?}");
}

fn adds_up(memory: &Memory) {
    let apart = memory.sum_bytes.abs_diff(memory.rss_bytes) as f64 / memory.rss_bytes as f64;
    assert!(apart <= 0.05, "{apart}: {memory:#?}");
}

#[test]
fn with_tracking_every_part_is_found_and_they_add_up() {
    let folder = program();
    for jdk in jdks() {
        for collector in ["-XX:+UseSerialGC", "-XX:+UseG1GC", "-XX:+UseZGC"] {
            let jvm = Jvm::start(
                jdk,
                folder.path(),
                &["-XX:NativeMemoryTracking=detail", collector],
            );
            let memory = read(jvm.0.id(), Wish { live: true }).unwrap();
            let said = || format!("{} {collector}: {memory:#?}", jdk.release);
            adds_up(&memory);
            assert_eq!(memory.source, "native memory tracking", "{}", said());
            assert!(memory.notes.is_empty(), "{}", said());
            is_as_the_schema_says(&memory);
            // A little of the JDK's own lives beside the program's.
            let live = part(&memory, "live heap");
            assert!((40 * MIB..50 * MIB).contains(&live), "{}", said());
            let direct = part(&memory, "direct buffers");
            assert!((24 * MIB..28 * MIB).contains(&direct), "{}", said());
            for name in [
                "metaspace",
                "code cache",
                "thread stacks",
                "collector",
                "programs",
                "jvm's own",
            ] {
                assert!(part(&memory, name) > 0, "{name}: {}", said());
            }
            assert!(
                part(&memory, "unexplained") < memory.sum_bytes / 20,
                "{}",
                said()
            );
        }
    }
}

#[test]
fn without_tracking_the_split_is_coarser_and_says_so() {
    let folder = program();
    for jdk in jdks() {
        let jvm = Jvm::start(jdk, folder.path(), &["-XX:+UseG1GC"]);
        let memory = read(jvm.0.id(), Wish::default()).unwrap();
        adds_up(&memory);
        is_as_the_schema_says(&memory);
        assert_eq!(memory.source, "jvm");
        assert!(
            memory.notes[0].contains("-XX:NativeMemoryTracking=detail"),
            "{memory:#?}"
        );
        assert!(part(&memory, "used heap") >= 40 * MIB, "{memory:#?}");
        assert!(
            part(&memory, "native allocations") >= 24 * MIB,
            "{memory:#?}"
        );
        assert_eq!(part(&memory, "unexplained"), 0);
    }
}

#[test]
fn any_other_process_is_split_by_its_mappings() {
    let mut cat = Command::new("cat")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // What answers has been loaded and linked, and does nothing after it.
    writeln!(cat.stdin.as_ref().unwrap(), "up").unwrap();
    let mut answer = String::new();
    let mut output = BufReader::new(cat.stdout.as_mut().unwrap());
    output.read_line(&mut answer).unwrap();
    assert_eq!(answer, "up\n");
    let memory = read(cat.id(), Wish { live: true }).unwrap();
    let id = cat.id();
    cat.kill().unwrap();
    cat.wait().unwrap();
    adds_up(&memory);
    assert_eq!((memory.source.as_str(), memory.heap), ("mappings", None));
    assert!(part(&memory, "programs") > 0);
    let gone = read(id, Wish::default()).unwrap_err().to_string();
    assert!(gone.contains(&id.to_string()), "{gone}");
}

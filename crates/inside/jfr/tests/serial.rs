//! Whose processor time it is, in a real JVM under async-profiler. Where that is not installed, the
//! test says so and passes.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;
use std::sync::atomic::AtomicBool;
use tacho_diagnosis::{COLLECTOR, Own};
use tacho_jfr::{Filling, Reading, read_work};
use tacho_profiler::{AsyncProfiler, Places};
use tacho_run_folder::LedgerKind;
use tacho_test_jdks::{Jdk, extremes, oldest};

/// Holds 20 MiB in small pieces, and has them looked through.
const PROGRAM: &str = r#"
public class Collects {
    static final byte[][] KEPT = new byte[200_000][];

    public static void main(String[] arguments) {
        for (int i = 0; i < KEPT.length; i++) {
            KEPT[i] = new byte[100];
        }
        for (int i = 0; i < 100; i++) {
            System.gc();
        }
    }
}
"#;

/// Processor time in nanoseconds: of collecting, and of everything.
fn spent(jdk: &Jdk, library: &Path, folder: &Path) -> (f64, f64) {
    let recording = folder.join("recording.jfr");
    let mut agent = std::ffi::OsString::from("-agentpath:");
    agent.push(library);
    agent.push("=start,event=itimer,interval=1ms,file=");
    agent.push(&recording);
    let mut launch = jdk.tool("java");
    launch.arg(agent);
    launch.args(["-XX:+UseSerialGC", "-Xmx128m", "-cp"]);
    let status = launch.arg(folder).arg("Collects").status().unwrap();
    assert!(status.success());
    let own = Own::default();
    let mut filling = Filling::new(&own, 1e6);
    let reading = Reading {
        recording: &recording,
        java: &jdk.path("java"),
        stop: &AtomicBool::new(false),
    };
    read_work(&reading, &mut |event| filling.add(event)).unwrap();
    let ledgers = filling.finish("w", 1, &[LedgerKind::Processor]);
    let mut ledgers = ledgers.iter();
    let ledger = ledgers.find(|ledger| ledger.kind == LedgerKind::Processor);
    let entries = &ledger.unwrap().entries;
    let collecting = entries.iter().filter(|entry| entry.key == COLLECTOR);
    (
        collecting.map(|entry| entry.cost).sum(),
        entries.iter().map(|entry| entry.cost).sum(),
    )
}

#[test]
fn a_program_that_only_collects_with_serial_spends_its_time_collecting() {
    let Some(profiler) = AsyncProfiler::find(&Places::here()) else {
        println!("async-profiler is not installed here: `tacho profiler install`");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("Collects.java"), PROGRAM).unwrap();
    let mut compile = oldest().tool("javac");
    compile.args(["--release", "11", "Collects.java"]);
    assert!(
        compile
            .current_dir(folder.path())
            .status()
            .unwrap()
            .success()
    );
    for jdk in extremes() {
        let (collecting, all) = spent(jdk, &profiler.library, folder.path());
        assert!(
            collecting > all / 2.0,
            "JDK {}: {collecting} of {all} ns",
            jdk.release
        );
    }
}

//! The measured time line against what a subject of known truth says of itself. What it claims of
//! itself holds in every launch, however busy the machine is. That it agrees within 2 ms, by the
//! median of five launches, is measured on a machine that has nothing else to do
//! (`make test-time-line`).

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Bench, FAKE, http, read, watch};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tacho_launch::ready::{Ready, until_ready};
use tacho_launch::{Child, Spawn};

/// In a set; the median of each set counts.
const LAUNCHES: usize = 5;
/// The most sets of launches that are tried.
const SETS: usize = 8;
const TOLERANCE_MS: f64 = 2.0;
/// One test at a time: each is a measurement.
static ALONE: Mutex<()> = Mutex::new(());

/// Measured less the subject's own instant, in milliseconds.
type Difference<'a> = &'a dyn Fn(&Compared) -> f64;

/// One launch: what was measured, and the subject's own instants, both in milliseconds since exec.
struct Compared {
    measured: Ready,
    own: HashMap<String, f64>,
}

fn launch(bench: &Bench, command: &[&str], instants: &Path) -> Compared {
    let _ = std::fs::remove_file(instants);
    let mut child: Child = bench.start(command);
    let measured = until_ready(&mut child, &watch(http("/health"), 300.0)).unwrap();
    let exec_us = child.anchor().realtime_ns as f64 / 1e3;
    common::eventually(std::time::Duration::from_secs(5), || {
        read(instants).contains("first-2xx")
    });
    let own = read(instants)
        .lines()
        .filter_map(|line| {
            let (name, micros) = line.split_once(' ')?;
            Some((
                name.to_owned(),
                (micros.parse::<f64>().ok()? - exec_us) / 1e3,
            ))
        })
        .collect();
    Compared { measured, own }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Differences to the subject's own instants by the median of a set; the first that is too large.
/// Late is positive.
fn disagreement(launches: &[Compared]) -> Option<String> {
    let instants: [(&str, Difference<'_>); 4] = [
        ("listening", &|l| {
            l.measured.time_line.listening_ms.unwrap() - l.own["after-listen"]
        }),
        // The kernel accepts connections on its behalf from `listen` on; when the subject itself
        // takes them up is a matter of its scheduling.
        ("first connection", &|l| {
            l.measured.time_line.first_connection_ms.unwrap() - l.own["after-listen"]
        }),
        ("first 2xx", &|l| {
            l.measured.time_line.first_2xx_ms.unwrap() - l.own["first-2xx"]
        }),
        ("ready", &|l| {
            l.measured.time_line.ready_ms.unwrap() - l.own["flip"]
        }),
    ];
    instants.iter().find_map(|(what, difference)| {
        let all: Vec<f64> = launches.iter().map(difference).collect();
        println!("{what}: {all:.3?} ms");
        (median(all.clone()).abs() > TOLERANCE_MS).then(|| format!("{what}: {all:.3?} ms"))
    })
}

/// What holds in every launch, however busy the machine is: nothing is seen before it was so, and
/// the lateness that is claimed is not exceeded (but for the time that the subject takes between
/// its system call and its look at the clock).
fn assert_claims(launch: &Compared) {
    let t = &launch.measured.time_line;
    println!(
        "resolution {:.3} ms, {} probes, {:.1} ms of CPU over {:.0} ms",
        t.resolution_ms,
        t.probes,
        launch.measured.cpu_s * 1e3,
        t.ready_ms.unwrap()
    );
    let late = t.resolution_ms + 0.5;
    assert!(t.listening_ms.unwrap() <= launch.own["after-listen"] + late);
    assert!(t.listening_ms.unwrap() >= launch.own["before-listen"] - 0.1);
    assert!(t.first_connection_ms.unwrap() <= launch.own["first-accept"] + late);
    assert!(t.ready_ms.unwrap() >= launch.own["flip"] - 0.1);
    assert!(t.listening_ms <= t.first_connection_ms);
    assert!(t.first_connection_ms <= t.first_response_ms);
    assert!(t.first_response_ms <= t.first_2xx_ms);
    assert!(t.first_2xx_ms <= t.ready_ms);
}

fn claims_hold(launch: &mut dyn FnMut() -> Compared) {
    for _ in 0..LAUNCHES {
        assert_claims(&launch());
    }
}

/// A busy machine only ever adds to the differences, so that one set out of several that agrees
/// shows what the instrument can do; one that is wrong by itself is wrong in all.
fn assert_agreement(launch: &mut dyn FnMut() -> Compared) {
    let mut last = None;
    for _ in 0..SETS {
        let launches: Vec<_> = (0..LAUNCHES).map(|_| launch()).collect();
        launches.iter().for_each(assert_claims);
        last = disagreement(&launches);
        if last.is_none() {
            return;
        }
    }
    panic!("more than {TOLERANCE_MS} ms by the median in {SETS} sets; the last: {last:?}");
}

/// Launches of the native subject.
fn with_a_native_subject(judge: impl FnOnce(&mut dyn FnMut() -> Compared)) {
    let _alone = ALONE.lock();
    let bench = Bench::new();
    let instants = bench.path("instants");
    let name = instants.display().to_string();
    let command = [
        FAKE,
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--instants",
        &name,
        "--before",
        "60",
        "--not-ready",
        "40",
    ];
    judge(&mut || launch(&bench, &command, &instants));
}

/// Launches of the subject on a JVM.
fn with_a_subject_on_a_jvm(judge: impl FnOnce(&mut dyn FnMut() -> Compared)) {
    let _alone = ALONE.lock();
    let bench = Bench::new();
    let java =
        java().expect("no JDK found: set JAVA_HOME, or `apt install openjdk-17-jdk-headless`");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/fakes/Subject.java");
    compile(&bench, &java, source);
    let instants = bench.path("instants");
    let name = instants.display().to_string();
    let classes = bench.scratch.path().display().to_string();
    let java = java.display().to_string();
    let command = [java.as_str(), "-cp", &classes, "Subject", &name, "150"];
    judge(&mut || launch(&bench, &command, &instants));
}

#[test]
fn of_a_native_subject_it_claims_no_more_than_it_saw() {
    with_a_native_subject(claims_hold);
}

#[test]
fn of_a_subject_on_a_jvm_it_claims_no_more_than_it_saw() {
    with_a_subject_on_a_jvm(claims_hold);
}

#[test]
#[ignore = "wants a machine that has nothing else to do: make test-time-line"]
fn it_agrees_with_a_native_subject() {
    with_a_native_subject(assert_agreement);
}

#[test]
#[ignore = "wants a machine that has nothing else to do: make test-time-line"]
fn it_agrees_with_a_subject_on_a_jvm() {
    with_a_subject_on_a_jvm(assert_agreement);
}

/// Compiled once, so that the compiler is not part of each launch.
fn compile(bench: &Bench, java: &Path, source: &str) {
    let javac = java.with_file_name("javac").display().to_string();
    let target = bench.scratch.path().display().to_string();
    let spawn: Spawn = bench.command(&[&javac, "-d", &target, source]);
    let never = std::sync::atomic::AtomicBool::new(false);
    // Only a hang is longer.
    let at_most = std::time::Duration::from_secs(300);
    let compiled = tacho_launch::run_to_end(spawn, &never, at_most).unwrap();
    assert!(compiled.exit.success(), "{:?}", compiled.tail);
    std::fs::remove_file(bench.log()).unwrap();
}

/// JAVA_HOME, else the newest under /usr/lib/jvm.
fn java() -> Option<PathBuf> {
    let homes = std::fs::read_dir("/usr/lib/jvm")
        .into_iter()
        .flatten()
        .flatten();
    let mut found: Vec<PathBuf> = std::env::var_os("JAVA_HOME")
        .map(PathBuf::from)
        .into_iter()
        .chain(homes.map(|home| home.path()))
        .map(|home| home.join("bin/java"))
        .filter(|java| java.exists() && java.with_file_name("javac").exists())
        .collect();
    found.sort_by_key(|java| java.to_string_lossy().contains("25"));
    found.pop()
}

//! A subject that writes more than anybody reads.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Bench, NEVER_STOP, eventually};
use std::os::unix::fs::MetadataExt;
use std::time::Duration;
use tacho_clock::monotonic_ns;
use tacho_launch::log::last_lines;
use tacho_launch::ready::{Condition, Watch, until_ready};
use tacho_launch::{Exit, run_to_end};

const LONG: Duration = Duration::from_secs(60);
/// How long the line is looked for: not long on a machine that is left alone.
const PATIENCE_S: [u64; 3] = [2, 10, 60];
const MIB: u64 = 1 << 20;
/// First and last part, what comes between two looks, and the blocks of the file system around
/// them.
const BOUND: u64 = 19 * MIB;

/// 96 MiB between a first and a last line.
const CHATTER: &str = "echo first; yes chatter | head -c 100663296; echo last";

#[test]
fn of_a_long_log_the_first_and_the_last_part_are_kept() {
    let bench = Bench::new();
    let finished = run_to_end(bench.command(&["sh", "-c", CHATTER]), &NEVER_STOP, LONG).unwrap();
    // It neither waited nor got a signal.
    assert_eq!(finished.exit, Exit::Code(0));
    assert_eq!(finished.tail.last().unwrap(), "last");
    let log = std::fs::read(bench.log()).unwrap();
    assert!(log.len() as u64 <= BOUND, "{} bytes are kept", log.len());
    assert!(log.starts_with(b"first\nchatter\n") && log.ends_with(b"chatter\nlast\n"));
    assert!(!log.contains(&0), "there is a hole in it");
    let said = String::from_utf8_lossy(&log);
    let said: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("left out"))
        .collect();
    assert_eq!(said.len(), 1, "{said:?}");
    let left_out: u64 = said[0]
        .split(' ')
        .find_map(|word| word.parse().ok())
        .unwrap();
    // Nothing is lost uncounted.
    let told = said[0].len() as u64 + 2;
    assert_eq!(log.len() as u64 - told + left_out, 100_663_296 + 11);
}

#[test]
fn while_it_runs_the_disk_holds_no_more_and_its_lines_are_seen() {
    let bench = Bench::new();
    let script = format!("{CHATTER}; exec sleep 1000");
    let mut child = bench.start(&["sh", "-c", &script]);
    let from = child.log_start();
    // The pattern stands after all of it.
    assert!(eventually(LONG, || {
        last_lines(&bench.log(), from, 1).is_ok_and(|lines| lines == ["last"])
    }));
    // No port listens, but the line is found, at whatever place the log is.
    let said = PATIENCE_S.map(Duration::from_secs).into_iter().any(|more| {
        let so_far = monotonic_ns() - child.exec_ns();
        let watch = Watch {
            port: None,
            condition: Condition::Log(regex::Regex::new("^last$").unwrap()),
            preferred_paths: Vec::new(),
            timeout: Duration::from_nanos(so_far) + more,
            stop: &NEVER_STOP,
            processes: None,
        };
        let not_ready = until_ready(&mut child, &watch).unwrap_err();
        not_ready.to_string().contains("wrote: last")
    });
    assert!(said, "the line is not found");
    assert!(eventually(LONG, || {
        bench.log().metadata().unwrap().blocks() * 512 <= BOUND
    }));
    child.terminate(Duration::ZERO).unwrap();
    assert!(bench.log().metadata().unwrap().len() <= BOUND);
    assert!(child.left_out_of_log() > 64 * MIB);
}

#[test]
fn a_log_that_is_short_enough_stays_as_it_is() {
    let bench = Bench::new();
    std::fs::write(bench.log(), "earlier\n").unwrap();
    let mut child = bench.start(&["sh", "-c", "echo short"]);
    child.wait_timeout(LONG).unwrap();
    child.terminate(Duration::ZERO).unwrap();
    assert_eq!(child.left_out_of_log(), 0);
    assert_eq!(
        std::fs::read_to_string(bench.log()).unwrap(),
        "earlier\nshort\n"
    );
}

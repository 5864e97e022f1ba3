//! A launch inside real control groups. Needs the right to make them, as `tacho run` with limits
//! does; where that is missing, the tests fail and say so.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Bench, eventually, is_alive, read};
use std::time::Duration;
use tacho_cgroup::{Group, GroupLimits, Hierarchy};
use tacho_launch::{Exit, Lease, Spawn, failure, sweep_folder};
use tacho_run_folder::{FailureCause, LaunchOutcome};

/// Only a hang is longer.
const LONG: Duration = Duration::from_secs(120);

fn group(name: &str, memory_bytes: Option<u64>) -> Group {
    let limits = GroupLimits {
        cpu: Some(1.0),
        memory_bytes,
    };
    let name = format!("launch-test-{}-{name}", std::process::id());
    Hierarchy::detect()
        .and_then(|hierarchy| hierarchy.create(&name, &limits))
        .unwrap_or_else(|e| panic!("these tests make control groups, as root may: {e}"))
}

fn inside(bench: &Bench, group: &Group, script: &str) -> Spawn {
    Spawn {
        user: None,
        lease: Lease::take_in(&bench.leases(), group.dirs()).unwrap(),
        join: group.join_files(),
        ..bench.command(&["sh", "-c", script])
    }
}

#[test]
fn the_limits_hold_from_the_first_instruction_on() {
    let bench = Bench::new();
    let group = group("joined", Some(64 << 20));
    let mut child = tacho_launch::spawn(inside(&bench, &group, "cat /proc/self/cgroup")).unwrap();
    assert_eq!(child.wait_timeout(LONG).unwrap(), Some(Exit::Code(0)));
    let own = format!("launch-test-{}-joined", std::process::id());
    assert!(read(&bench.log()).contains(&own), "{}", read(&bench.log()));
    drop(child);
    // The lease removed the groups.
    assert!(group.dirs().iter().all(|dir| !dir.exists()));
}

#[test]
fn a_subject_that_needs_more_memory_than_its_limit_is_told_from_others() {
    let bench = Bench::new();
    let group = group("oom", Some(32 << 20));
    // tail keeps its last line, and /dev/zero has no line break.
    let mut child = tacho_launch::spawn(inside(&bench, &group, "exec tail /dev/zero")).unwrap();
    let exit = child.wait_timeout(LONG).unwrap().unwrap();
    let evidence = failure::Evidence {
        oom_kills: group.oom_kills().unwrap(),
        memory_bytes: Some(32 << 20),
        last_log_lines: Vec::new(),
        told: None,
    };
    match failure::ended(exit, "in phase cold", evidence) {
        LaunchOutcome::Failed { cause, .. } => assert_eq!(cause, FailureCause::OutOfMemory),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_hides_from_every_mark_is_ended_with_its_group() {
    let bench = Bench::new();
    let group = group("hidden", None);
    let lease_of_a_killed_tacho = bench.path("leases/1-1-1.lease");
    // A daemon without the environment, without the session, without the parent.
    let script = "(env -i setsid sh -c 'echo $$ >daemon; exec sleep 1000' &); sleep 1000";
    let child = tacho_launch::spawn(inside(&bench, &group, script)).unwrap();
    let daemon = || read(&bench.path("daemon")).trim().parse::<u32>().ok();
    assert!(eventually(LONG, || daemon().is_some_and(is_alive)));
    let daemon = daemon().unwrap();
    // What is on record of the launch outlives it, as if it had been killed.
    let lease = std::fs::read_dir(bench.leases().path())
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .find(|path| read(path).contains("hidden"))
        .unwrap();
    std::fs::copy(&lease, &lease_of_a_killed_tacho).unwrap();
    let swept = sweep_folder(&bench.leases());
    // What has been killed leaves its group before it is dead.
    assert!(eventually(LONG, || !is_alive(daemon)), "{swept:?}");
    assert!(
        !swept.groups.is_empty() && swept.left.is_empty(),
        "{swept:?}"
    );
    assert!(group.dirs().iter().all(|dir| !dir.exists()));
    drop(child);
}

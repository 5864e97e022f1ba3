//! `kill -9` of Tacho itself: the next command ends what it left behind.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Bench, FAKE, eventually, is_alive, read};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;
use tacho_launch::sweep_folder;

/// Only a hang is longer.
const LONG: Duration = Duration::from_secs(120);

/// Ignores SIGTERM, and so does the daemon that it forks twice, into a session of its own.
const STUBBORN: &str = "trap '' TERM HUP
(setsid sh -c \"trap '' TERM HUP; echo \\$\\$ >daemon; while :; do sleep 1; done\" &)
echo $$ >leader
while :; do sleep 1; done";

/// A Tacho that has started the stubborn subject; it is gone when this returns.
fn killed_tacho(bench: &Bench) -> (u32, u32) {
    let script = format!("cd {}; {STUBBORN}", bench.scratch.path().display());
    let mut tacho = Command::new(FAKE)
        .arg("hold-lease")
        .arg(bench.leases().path())
        .arg(bench.log())
        .args(["sh", "-c", &script])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(tacho.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let leader: u32 = line.trim().parse().unwrap();
    let daemon = || read(&bench.path("daemon")).trim().parse::<u32>().ok();
    assert!(eventually(LONG, || daemon().is_some()));
    // While it lives, nobody touches its launch.
    assert!(sweep_folder(&bench.leases()).is_clean());
    tacho.kill().unwrap();
    tacho.wait().unwrap();
    (leader, daemon().unwrap())
}

/// What has been killed loses its environment, by which it is known, before it is dead.
fn assert_dies(pid: u32) {
    assert!(eventually(LONG, || !is_alive(pid)));
}

#[test]
fn nothing_is_left_once_the_next_command_has_started() {
    let bench = Bench::new();
    let (leader, daemon) = killed_tacho(&bench);
    // The kernel kills the subject with the thread that started it; the daemon is left.
    assert!(eventually(LONG, || !is_alive(leader)));
    assert!(is_alive(daemon));
    let swept = sweep_folder(&bench.leases());
    assert_dies(daemon);
    assert_eq!((swept.leases, swept.left.len()), (1, 0), "{swept:?}");
    assert!(swept.to_string().contains(&daemon.to_string()), "{swept}");
    assert!(sweep_folder(&bench.leases()).is_clean());
}

#[test]
fn a_process_that_only_has_the_number_of_the_leader_is_not_touched() {
    let bench = Bench::new();
    let (leader, daemon) = killed_tacho(&bench);
    // Start times are counted in ticks of 10 ms; this one is a later one.
    std::thread::sleep(Duration::from_millis(30));
    let mut stranger = Command::new("sleep").arg("1000").spawn().unwrap();
    // The same lease with the stranger's number in place of the leader's, as if it had been given
    // away since; its start time is another.
    let lease = std::fs::read_dir(bench.leases().path())
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let text = read(&lease);
    let changed = text.replace(
        &format!("\"pid\":{leader}"),
        &format!("\"pid\":{}", stranger.id()),
    );
    assert_ne!(text, changed);
    std::fs::write(&lease, changed).unwrap();
    let swept = sweep_folder(&bench.leases());
    assert!(is_alive(stranger.id()), "{swept}");
    assert_dies(daemon);
    stranger.kill().unwrap();
    stranger.wait().unwrap();
}

//! The processor time of all processes together, beside a neighbour whose own is known.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;
use tacho_observe::process::{all_cpu_s, stat, trees_cpu_s};

/// Of several readings the greatest: a process that ends while all are read, after its parent was
/// and before itself is, is in none of the two.
fn used_by_all() -> f64 {
    let readings = (0..3).map(|_| all_cpu_s().unwrap());
    readings.fold(0.0, f64::max)
}

/// Waits for what the neighbour used, not for a time: how fast it comes by its half second is no
/// matter.
#[test]
fn a_busy_neighbour_is_counted_while_it_lives_and_when_it_has_ended() {
    let before = used_by_all();
    let mut neighbour = Command::new("sh")
        .args(["-c", "while :; do :; done"])
        .spawn()
        .unwrap();
    let used = || stat(neighbour.id()).unwrap().cpu_s();
    while used() < 0.5 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let while_it_lives = used_by_all() - before;
    neighbour.kill().unwrap();
    neighbour.wait().unwrap();
    let afterwards = used_by_all() - before;
    // A little less, because others may end meanwhile whom nobody waits for.
    assert!(while_it_lives > 0.4, "{while_it_lives}");
    assert!(afterwards > 0.4, "{afterwards}");
}

/// Where this test runs itself again, as a container would.
const INSIDE: &str = "TACHO_TEST_INSIDE";

/// In a namespace of its own a process sees no neighbour in `/proc`, which is no reason to say that
/// there is none.
#[test]
fn a_neighbour_outside_the_container_is_counted() {
    if std::env::var_os(INSIDE).is_some() {
        println!("used {}", used_by_all());
        return;
    }
    let seen_inside = || -> Option<f64> {
        let inside = Command::new("unshare")
            .args([
                "--user",
                "--map-root-user",
                "--pid",
                "--fork",
                "--mount-proc",
            ])
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "--nocapture"])
            .arg("a_neighbour_outside_the_container_is_counted")
            .env(INSIDE, "yes")
            .output()
            .unwrap();
        let told = String::from_utf8(inside.stdout).unwrap();
        told.lines()
            .find_map(|line| line.split_once("used "))
            .map(|(_, used)| used.parse().unwrap())
    };
    let Some(before) = seen_inside() else {
        eprintln!("Left out: this machine allows no namespaces.");
        return;
    };
    let mut neighbour = Command::new("sh")
        .args(["-c", "while :; do :; done"])
        .spawn()
        .unwrap();
    while stat(neighbour.id()).unwrap().cpu_s() < 1.0 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let used = seen_inside().unwrap() - before;
    neighbour.kill().unwrap();
    neighbour.wait().unwrap();
    // By the tick, so by what ran at a hundred instants of it.
    assert!(used > 0.5, "{used}");
}

/// A companion is counted with what it starts, and only once where it is named together with what
/// it starts.
#[test]
fn a_tree_is_counted_with_its_leaves() {
    let mut companion = Command::new("sh")
        .args(["-c", "sh -c 'while :; do :; done' & echo $!; wait"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(companion.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let leaf: u32 = line.trim().parse().unwrap();
    while stat(leaf).unwrap().cpu_s() < 0.5 {
        std::thread::sleep(Duration::from_millis(10));
    }
    // Read in this order, so that what the leaf uses meanwhile cannot make it too much.
    let both = trees_cpu_s(&[companion.id(), leaf]);
    let tree = trees_cpu_s(&[companion.id()]);
    let alone = trees_cpu_s(&[std::process::id()]);
    Command::new("kill").arg(leaf.to_string()).status().unwrap();
    companion.wait().unwrap();
    assert!(both >= 0.5 && tree >= both, "{both} {tree}");
    // This process began the companion.
    assert!(alone >= tree, "{alone} {tree}");
    assert_eq!(trees_cpu_s(&[companion.id()]), 0.0);
    assert_eq!(trees_cpu_s(&[]), 0.0);
}

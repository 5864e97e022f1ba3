//! The processor time of all processes together, beside a neighbour whose own is known.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::process::Command;
use std::time::Duration;
use tacho_observe::process::{all_cpu_s, stat};

/// Waits for what the neighbour used, not for a time: how fast it comes by its half second is no matter.
#[test]
fn a_busy_neighbour_is_counted_while_it_lives_and_when_it_has_ended() {
    let before = all_cpu_s().unwrap();
    let mut neighbour = Command::new("sh")
        .args(["-c", "while :; do :; done"])
        .spawn()
        .unwrap();
    let used = || stat(neighbour.id()).unwrap().cpu_s();
    while used() < 0.5 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let while_it_lives = all_cpu_s().unwrap() - before;
    neighbour.kill().unwrap();
    neighbour.wait().unwrap();
    let afterwards = all_cpu_s().unwrap() - before;
    // A little less, because others may end meanwhile whom nobody waits for.
    assert!(while_it_lives > 0.4, "{while_it_lives}");
    assert!(afterwards > 0.4, "{afterwards}");
}

//! When requests are sent, and how many.

use crate::command::Load;
use crate::server::{ok, remembering, url};

#[test]
fn a_closed_loop_sends_as_many_as_it_is_told() {
    let (server, seen) = remembering();
    let told = Load::json("--closed --connections 3 --requests 50")
        .with(url(&server, "/"))
        .run();
    assert_eq!(told.json()["requests"], 50);
    assert_eq!(seen.lock().unwrap().len(), 50);
    assert_eq!(server.connections(), 3);
}

#[test]
fn recorded_instants_are_replayed_with_their_unit() {
    let server = ok();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.csv");
    std::fs::write(&path, "status,at\n200,1000\n200,1040\n404,1100\n").unwrap();
    let address = url(&server, "/");
    let replay = |options: &str| Load::json(options).with("--replay").with(&path);
    replay("--replay-column at")
        .with(&address)
        .run()
        .exits(2)
        .says("--replay-unit");
    let report = replay("--replay-column at --replay-unit ms")
        .with(&address)
        .run()
        .json();
    assert_eq!(report["requests"], 3);
    assert!(report["duration_s"].as_f64().unwrap() >= 0.1, "{report}");
}

#[test]
fn a_dry_run_shows_the_plan_and_sends_nothing() {
    let server = ok();
    Load::new("--ramp 10..100 --duration 5s --warm-up 2s --dry-run")
        .with(url(&server, "/a"))
        .run()
        .exits(0)
        .says("warm-up")
        .says("GET /a");
    assert_eq!(server.requests(), 0);
}

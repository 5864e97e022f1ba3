//! A load that is told to end reports what it has.

use crate::command::Load;
use crate::server::{ok, url};
use rustix::process::Signal;

#[test]
fn an_interrupted_load_reports_what_it_has() {
    let server = ok();
    let told = Load::json("--rate 100 --duration 60s")
        .with(url(&server, "/"))
        .signalled(|| server.requests() >= 20, &[Signal::INT])
        .exits(130);
    let requests = told.json()["requests"].as_u64().unwrap();
    assert!((20..6_000).contains(&requests), "{requests}");
}

/// As timeout(1) does: its child, then the group.
#[test]
fn two_signals_at_once_are_one_wish() {
    let server = ok();
    let told = Load::json("--search p99<60s -d 60s --between 50..100")
        .with(url(&server, "/"))
        .signalled(
            || server.requests() >= 10,
            // Both are there when it goes on: what is one wish is no matter of how quick we are.
            &[Signal::STOP, Signal::TERM, Signal::INT, Signal::CONT],
        )
        .exits(130);
    // What was sent in the first trial of a search is reported as well.
    let report = told.json();
    assert!(report["requests"].as_u64().unwrap() >= 10, "{report}");
    assert_eq!(report["search"]["tries"].as_array().unwrap().len(), 0);
}

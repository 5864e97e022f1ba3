//! `tacho trace`: where the time of a method goes, level by level.

use super::arguments::Trace;
use super::tree::{Tree, next_level};
use super::window::{Ended, Window};
use crate::{Done, output};
use serde::Serialize;
use std::time::Duration;
use tacho_jvm_agent::{MethodPattern, TracedMethod};

/// A level is found in a part of the time; what is shown was counted in the rest.
const LOOKING: f64 = 0.4;
/// In so little a level is seldom seen.
const SHORTEST_LOOK: Duration = Duration::from_millis(500);

#[derive(Debug, Serialize)]
struct Report {
    pid: u32,
    elapsed_s: f64,
    own: Vec<String>,
    methods: Vec<TracedMethod>,
    removed: Ended,
}

/// Traces the methods, and then what is dear in them.
pub fn trace(arguments: &Trace) -> Done {
    let common = &arguments.common;
    let roots: Vec<MethodPattern> = arguments
        .methods
        .iter()
        .map(|method| MethodPattern {
            subtypes: arguments.subtypes,
            ..method.clone()
        })
        .collect();
    let mut window = Window::open(common)?;
    let mut begun = window.agent.trace(&roots, &[])?;
    window.note_unmatched(&begun, &roots)?;
    let mut inner: Vec<MethodPattern> = Vec::new();
    let looking = common
        .duration
        .mul_f64(LOOKING / f64::from(arguments.levels.max(1)));
    for _ in 0..arguments.levels {
        window.wait(looking.max(SHORTEST_LOOK.min(common.duration)));
        if window.stop.is_set() {
            break;
        }
        let traced = window.agent.snapshot()?.traced;
        let next = next_level(&traced, &inner, arguments.at_least, arguments.jdk);
        if next.is_empty() {
            continue;
        }
        inner.extend(next);
        begun = window.agent.trace(&roots, &inner)?;
    }
    window.note(&begun);
    window.agent.reset()?;
    if !window.stop.is_set() {
        window.wait(common.duration.mul_f64(if arguments.levels == 0 {
            1.0
        } else {
            1.0 - LOOKING
        }));
    }
    let snapshot = window.agent.snapshot()?;
    let own = window.own.clone();
    let removed = window.close()?;
    let report = Report {
        pid: common.pid,
        elapsed_s: snapshot.elapsed_ns as f64 / 1e9,
        own,
        methods: snapshot.traced,
        removed,
    };
    output::json_or_summary(
        common.json.as_deref(),
        || output::pretty(&report),
        || {
            Tree::of(&report.methods).text(report.elapsed_s, arguments.at_least)
                + "\n"
                + &report.removed.text()
        },
    )?;
    Ok(report.removed.exit())
}

//! A method is called more often than before: a cache that does not answer any more, a loop within
//! a loop.

use super::{Match, Need, Pattern, SPECIAL, often};
use crate::comparison::{Pair, Suspect};
use crate::finding::Count;
use crate::frame::{aligned, shown};
use std::collections::BTreeMap;

pub const PATTERN: Pattern = Pattern {
    id: "more-calls",
    name: "more calls of the same method",
    needs: &[Need::Traces],
    look,
    ..SPECIAL
};

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    suspect.comparison.baseline.as_ref()?;
    let calls = callees(suspect);
    let (callee, (times, time)) = calls
        .into_iter()
        .filter(|(callee, (times, time))| {
            !callee.ends_with(".<init>")
                && times.more() > 0.5
                && times.candidate > 2.0 * times.baseline
                && time.more() > 0.0
        })
        .max_by(|a, b| a.1.1.more().total_cmp(&b.1.1.more()))?;
    let is_callee = |frame: &str| frame == callee;
    let (line, stack) = super::place_via(suspect, is_callee);
    Some(Match {
        // Never more than the samples show there: a traced call is costlier than an ordinary one.
        time: suspect.time_via(is_callee),
        sentence: format!(
            "{{owner}} calls {} {}{} times for each request; it was {}.",
            shown(&callee),
            super::about(times),
            often(times.candidate),
            often(times.baseline)
        ),
        fix: "Look at what let it be called less before: a cache that does not answer any more, a condition that is gone, a loop around it.".to_owned(),
        counts: vec![Count { what: format!("calls of {}", shown(&callee)), times }, Count { what: format!("milliseconds in {}, traced", shown(&callee)), times: time }],
        line,
        stack,
        is_cause: true,
    })
}

/// Calls and milliseconds per request of what the owner calls; nothing unless it was traced in
/// every build.
pub fn callees(suspect: &Suspect<'_, '_>) -> BTreeMap<String, (Pair, Pair)> {
    let mut calls: BTreeMap<String, (Pair, Pair)> = BTreeMap::new();
    let mut traced_in = 0;
    for (is_baseline, side) in suspect.comparison.sides() {
        let Some(traced) = side.traced(&suspect.owner) else {
            continue;
        };
        traced_in += 1;
        let requests = (traced.requests as f64).max(1.0);
        for callee in &traced.callees {
            let (times, time) = calls.entry(aligned(&callee.method)).or_default();
            times.estimated |= callee.estimated;
            time.estimated |= callee.estimated;
            *times.side(is_baseline) += callee.calls as f64 / requests;
            *time.side(is_baseline) += callee.total_ns as f64 / 1e6 / requests;
        }
    }
    if traced_in == suspect.comparison.sides().count() {
        calls
    } else {
        BTreeMap::new()
    }
}

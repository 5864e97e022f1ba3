//! The trace of both builds as one tree: each method with what it calls, calls and time for each
//! request.
//!
//! Calls of the two builds are matched by names that survive a rebuild. Several lines of a method
//! that call the same method are one row. Rows with less than a hundredth of their tree's time in
//! both builds are left out and counted.

mod filling;
mod tree;

use filling::Filling;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use tacho_diagnosis::Own;
use tacho_run_folder::{Dissection, TracedNode};
use tree::{BASELINE, CANDIDATE, Node, Place};

/// One row of the tree, callers before what they call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TraceRow {
    /// 0 for a method that a tree begins with.
    pub depth: usize,
    /// What it is.
    pub kind: TraceRowKind,
    /// `package.Class.method` by a name that survives a rebuild; empty for the rest of a method.
    pub method: String,
    /// Whether it is the application's own code.
    pub own: bool,
    /// Lines of the caller, in the newest build that has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<u32>,
    /// In the older build; absent when it was not seen there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<TraceFigures>,
    /// In the newer build; absent when it was not seen there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<TraceFigures>,
    /// Share of the time of the root method of the tree, 0 to 1; the larger of the two builds.
    pub share: f64,
    /// Calls that are too small to be shown.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: usize,
}

/// What a row is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum TraceRowKind {
    /// A method that a tree begins with.
    Root,
    /// A call in the method above, or in something below it that is not traced itself.
    Call,
    /// The method that ran when the call above was made: of a class that extends or implements the
    /// one that was called.
    Ran,
    /// The method's own code, and calls that were not timed.
    Rest,
}

/// Of one build, for each request.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct TraceFigures {
    /// Calls for each request.
    pub calls: f64,
    /// Wall time with everything below, in milliseconds.
    pub ms: f64,
    /// Calls that ended by an exception.
    pub failed: f64,
    /// Whether `ms` is an estimate, because only a random sample of the calls was timed.
    pub time_is_estimated: bool,
    /// Whether `calls` is an estimate, too, because not every call was counted.
    pub calls_are_estimated: bool,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// Of what was traced in either build; the costliest tree first.
#[must_use]
pub fn rows(baseline: Option<&Dissection>, candidate: &Dissection) -> Vec<TraceRow> {
    let own = Own::of_both(baseline, candidate);
    let mut whole = Node::default();
    for (build, seen) in [(BASELINE, baseline), (CANDIDATE, Some(candidate))] {
        if let Some(seen) = seen {
            Filling::of(&nodes(seen), build).roots(&mut whole);
        }
    }
    let mut rows = Vec::new();
    for ((kind, name), root) in whole.in_order() {
        let most = [BASELINE, CANDIDATE].map(|build| root.builds[build].ns);
        root.lay_out(
            &mut rows,
            Place {
                kind: *kind,
                name,
                depth: 0,
                most,
                own: &own,
            },
        );
    }
    rows
}

/// The trees. If the JVM's own tracer was used instead of the agent, each method has only its
/// direct calls.
fn nodes(seen: &Dissection) -> Cow<'_, [TracedNode]> {
    if !seen.trees.is_empty() {
        return Cow::Borrowed(&seen.trees);
    }
    let single = seen.traces.iter().map(|traced| TracedNode {
        requests: traced.requests,
        parent: None,
        method: traced.method.clone(),
        calls: traced.calls,
        total_ns: traced.total_ns,
        failed: 0,
        timed: traced.timed,
        callees: traced.callees.clone(),
    });
    Cow::Owned(single.collect())
}

#[cfg(test)]
mod tests;

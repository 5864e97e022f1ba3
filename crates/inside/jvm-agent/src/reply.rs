//! What the agent answers.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tacho_diagnosis::live::{Calls, TracedCall, TracedMethod, WatchedCall};

/// Instruments are in.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Begun {
    /// Classes that were changed.
    pub classes: u32,
    /// Methods that are instrumented.
    pub methods: u32,
    /// What was asked for but could not be instrumented.
    pub refused: Vec<NotProbed>,
    /// Probes, by their id, that no loaded class has a method for (yet).
    pub unmatched: Vec<String>,
    /// Those of them that a class loaded later may still match. For the others, the class is loaded
    /// but has no such method.
    #[serde(default)]
    pub awaited: Vec<String>,
    /// For each unmatched probe: the methods, as `name(descriptor)`, of the loaded classes that
    /// match; at most 500.
    #[serde(default)]
    pub members: BTreeMap<String, Vec<String>>,
}

/// A method or class that cannot be instrumented.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotProbed {
    /// `package.Class` or `package.Class.method`.
    pub what: String,
    /// In a sentence.
    pub why: String,
}

/// Everything that has been counted since the beginning, or the last reset.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Snapshot {
    /// For how long.
    pub elapsed_ns: u64,
    /// By probe, key, outcome and stack.
    pub calls: Vec<Calls>,
    /// Calls for which the table had no room, by probe: counted, and no more known of them.
    pub left_out: Vec<(String, u64)>,
    /// Of a trace.
    pub traced: Vec<TracedMethod>,
    /// Of a trace that keeps calls one by one.
    pub traced_calls: Vec<TracedCall>,
    /// Of a watch.
    pub watched: Vec<WatchedCall>,
}

/// Instruments are out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Removed {
    /// Classes that had been changed.
    pub classes: u32,
    /// Of them those that were put back and are, byte for byte, what they were before.
    pub as_before: u32,
    /// Of them those that are no longer there.
    pub unloaded: u32,
    /// Classes in which anything of the agent was still found; each with its reason.
    pub left: Vec<NotProbed>,
    /// Classes that carry nothing of the agent, and yet are not what they were: another agent has
    /// changed them meanwhile.
    pub changed_by_others: Vec<String>,
}

impl Removed {
    /// Nothing of the agent is left.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.left.is_empty()
    }
}

/// A reply to `snapshot`: its head, and a line for each thing.
///
/// # Errors
/// When a line is not what the agent writes.
pub fn read_snapshot(lines: &[impl AsRef<str>]) -> Result<Snapshot, serde_json::Error> {
    let mut snapshot = Snapshot::default();
    for line in lines {
        match serde_json::from_str(line.as_ref())? {
            Line::Snapshot { elapsed_ns } => snapshot.elapsed_ns = elapsed_ns,
            Line::Calls(calls) => snapshot.calls.push(calls),
            Line::LeftOut { probe, count } => snapshot.left_out.push((probe, count)),
            Line::Call { thread, at_ns } => snapshot.traced_calls.push(TracedCall {
                thread,
                at_ns,
                methods: Vec::new(),
            }),
            // Lines after a call belong to that call.
            Line::Traced(method) => match snapshot.traced_calls.last_mut() {
                Some(call) => call.methods.push(method),
                None => snapshot.traced.push(method),
            },
            Line::Watched(call) => snapshot.watched.push(call),
        }
    }
    Ok(snapshot)
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Line {
    Snapshot { elapsed_ns: u64 },
    Calls(Calls),
    LeftOut { probe: String, count: u64 },
    Call { thread: String, at_ns: u64 },
    Traced(TracedMethod),
    Watched(WatchedCall),
}

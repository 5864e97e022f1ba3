//! What the agent answers.

use serde::{Deserialize, Serialize};

/// Instruments are in.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Begun {
    /// Classes that were changed.
    pub classes: u32,
    /// Methods that are instrumented.
    pub methods: u32,
    /// What was asked for and could not be.
    pub refused: Vec<NotProbed>,
    /// Probes, by their id, that no loaded class has a method for (yet).
    pub unmatched: Vec<String>,
    /// Of these, probes that a class may have methods for that is loaded later. The class of the
    /// others is there, without such a method.
    #[serde(default)]
    pub awaited: Vec<String>,
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
    /// Of a watch.
    pub watched: Vec<WatchedCall>,
}

/// All calls that are alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// Id of the probe that counted them.
    pub probe: String,
    /// What [`Probe::keys`](crate::Probe::keys) asks for, in that order.
    pub keys: Vec<String>,
    /// How they ended.
    pub outcome: Outcome,
    /// `package.Class.method:line`, innermost first: from the method that was called to the first
    /// of the owner's packages.
    pub frames: Vec<String>,
    /// How many, exactly.
    pub count: u64,
    /// Their time in all.
    pub total_ns: u64,
    /// The longest of them.
    pub max_ns: u64,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// With a result, or without one where there is none.
    Normal,
    /// With `null`.
    Null,
    /// By an exception of this class.
    Exception(String),
}

impl Outcome {
    /// As in a ledger: the class of the exception, or `null`; none when it went well.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Normal => None,
            Self::Null => Some("null"),
            Self::Exception(class) => Some(class),
        }
    }
}

/// A traced method, at one place of the tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracedMethod {
    /// Number of the node, by which `parent` refers to it.
    pub node: u32,
    /// The node that it was called from, and the place of the call among that node's callees (their
    /// number where none of them led here: it was called by way of what is not timed, or by the
    /// JVM); none for a root.
    pub parent: Option<(u32, u32)>,
    /// `package.Class.method`.
    pub method: String,
    /// Calls at this place of the tree.
    pub count: u64,
    /// Their time in all.
    pub total_ns: u64,
    /// Of them those that ended by an exception.
    pub failed: u64,
    /// Present where timing each call would have cost more than the budget: this many were timed,
    /// chosen at random, and all other figures stand for the rest as well. The count of a root is
    /// exact all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timed: Option<u64>,
    /// What it calls, by line.
    pub callees: Vec<TracedCallee>,
}

/// A call site in a traced method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracedCallee {
    /// `package.Class.method` as the call is written: the receiver's class may be another.
    pub method: String,
    /// Descriptor of the called method (JVMS 4.3.3).
    pub descriptor: String,
    /// Line in the caller.
    pub line: Option<u32>,
    /// Calls from this call site.
    pub count: u64,
    /// Their time in all.
    pub total_ns: u64,
    /// Of them those that ended by an exception.
    pub failed: u64,
}

/// One call of a watched method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchedCall {
    /// `package.Class.method`.
    pub method: String,
    /// Name of its thread.
    pub thread: String,
    /// When it began, in nanoseconds since the watch did.
    pub at_ns: u64,
    /// How long it took.
    pub took_ns: u64,
    /// The object whose method it is.
    pub receiver: Option<String>,
    /// As they were when it began.
    pub arguments: Vec<String>,
    /// Absent when there is none.
    pub result: Option<String>,
    /// The exception that ended it.
    pub exception: Option<String>,
    /// Who called it, innermost first.
    pub frames: Vec<String>,
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
            Line::Traced(method) => snapshot.traced.push(method),
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
    Traced(TracedMethod),
    Watched(WatchedCall),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_read_as_the_agent_writes_them() {
        let read = |text| serde_json::from_str::<Outcome>(text).unwrap();
        assert_eq!(read("\"normal\"").text(), None);
        assert_eq!(read("\"null\"").text(), Some("null"));
        let exception = read("{\"exception\":\"java.lang.ClassNotFoundException\"}");
        assert_eq!(exception.text(), Some("java.lang.ClassNotFoundException"));
    }
}

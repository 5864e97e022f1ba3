//! What an instrument in a running JVM tells, and how it was taken out.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// All calls that are alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// Id of the probe that saw them.
    pub probe: String,
    /// What its probe asks for, in that order.
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
    /// With `null` as its result.
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
    /// Its number among the nodes of the tree.
    pub node: u32,
    /// The node that it was called from, and the place of the call among that node's callees (their
    /// number where none of them led here: it was called by way of what is not timed, or by the
    /// JVM); none for a root.
    pub parent: Option<(u32, u32)>,
    /// The method that was traced: `package.Class.method`.
    pub method: String,
    /// How often it was called.
    pub count: u64,
    /// Their time in all.
    pub total_ns: u64,
    /// Of them those that ended by an exception.
    pub failed: u64,
    /// Present where timing each call would have cost more than the budget: so many were timed, by
    /// chance, and all other figures stand for the rest as well. The count of a root is exact all
    /// the same.
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
    /// Its descriptor in the class file: `(Ljava/lang/String;)V`.
    pub descriptor: String,
    /// Line in the caller.
    pub line: Option<u32>,
    /// How often it was called from here.
    pub count: u64,
    /// Their time in all.
    pub total_ns: u64,
    /// Of them those that ended by an exception.
    pub failed: u64,
}

/// One call of a traced method, with what it called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracedCall {
    /// Name of its thread.
    pub thread: String,
    /// When it began, in nanoseconds since the calls were looked at.
    pub at_ns: u64,
    /// As a tree: see [`TracedMethod::parent`].
    pub methods: Vec<TracedMethod>,
}

impl TracedCall {
    /// How long it took, in nanoseconds.
    #[must_use]
    pub fn took_ns(&self) -> u64 {
        let roots = self.methods.iter().filter(|method| method.parent.is_none());
        roots.map(|method| method.total_ns).sum()
    }
}

/// One call of a watched method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchedCall {
    /// The method that was called: `package.Class.method`.
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

/// How an instrument was taken out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ended {
    /// Classes that had been instrumented.
    pub classes: u32,
    /// Of them those that are byte for byte what they were, or are no longer there.
    pub as_before: u32,
    /// Nothing of the agent is left in any.
    pub clean: bool,
    /// What is to be known of it.
    pub notes: Vec<String>,
    /// By the user, before the time was over.
    pub interrupted: bool,
}

/// What was counted.
#[derive(Debug)]
pub struct Counted {
    /// Process id of the JVM.
    pub pid: u32,
    /// For how long.
    pub elapsed_s: f64,
    /// Packages of the application.
    pub own: Vec<String>,
    /// All that are alike as one.
    pub calls: Vec<Calls>,
    /// Calls for which there was no room.
    pub left_out: u64,
    /// How it ended.
    pub removed: Ended,
}

/// What was traced; as JSON what `tacho trace --json` writes.
#[derive(Debug, Serialize)]
pub struct Traced {
    /// Process id of the JVM.
    pub pid: u32,
    /// For how long.
    pub elapsed_s: f64,
    /// Packages of the application.
    pub own: Vec<String>,
    /// As a tree: see [`TracedMethod::parent`]; empty where calls were kept one by one.
    pub methods: Vec<TracedMethod>,
    /// Calls one by one, in the order in which they ended, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<Vec<TracedCall>>,
    /// How it ended.
    pub removed: Ended,
}

/// What was watched; as JSON what `tacho watch --json` writes.
#[derive(Debug, Serialize)]
pub struct Watched {
    /// Process id of the JVM.
    pub pid: u32,
    /// In their order.
    pub calls: Vec<WatchedCall>,
    /// How it ended.
    pub removed: Ended,
    /// For how long.
    #[serde(skip)]
    pub elapsed: Duration,
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

//! `dissection.json`: what a request spends, as instruments saw it in the windows of a diagnosis
//! launch.

use crate::NotObserved;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Everything that was seen of one build.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Dissection {
    /// The cell that was launched.
    pub cell: String,
    /// Processors that it may use.
    pub processors: f64,
    /// Packages that are the application's own, as prefixes that end with a dot; empty when they
    /// could not be told.
    pub own: Vec<String>,
    /// Number of places in which a class is looked for, where libraries are packed with the
    /// application (a fat jar, a WAR): one for each library, and one for the application's own
    /// classes. Absent where none are packed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packed_places: Option<u64>,
    /// What the JVM says of itself when it is warm; absent where it was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jvm: Option<RunningJvm>,
    /// The windows, in order.
    pub windows: Vec<Window>,
    /// One for each kind that was observed.
    pub ledgers: Vec<Ledger>,
    /// Timed methods and what they call.
    pub traces: Vec<TracedMethod>,
    /// The same calls as trees, callers before what they call: a method at each place that it was
    /// called from. Empty where the JVM's own tracer stood in for the agent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trees: Vec<TracedNode>,
    /// What was left of the agent after its windows; empty when it was removed completely.
    pub left_behind: Vec<String>,
    /// What could not be observed, and what would change that.
    pub missing: Vec<NotObserved>,
}

/// What a running JVM says of itself. Values of secret names are masked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct RunningJvm {
    /// Flags that differ from the JVM's own defaults, and what it chose by the machine: collector,
    /// heap, numbers of threads. `on` and `off` of switches.
    pub flags: BTreeMap<String, String>,
    /// System properties, but for those of the launch (class path, command, folder).
    pub properties: BTreeMap<String, String>,
    /// Environment variables that the JVM was started with.
    pub environment: BTreeMap<String, String>,
}

/// A time in which a known number of requests was sent, with one instrument or none.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Window {
    /// `plain` (no instrument), `wire` (none, the packets of its calls are taken down; only where
    /// it has connections to others), `processor`, `events`, `counts`, `trace`, `later` (as
    /// `plain`, when all others are over)
    pub name: String,
    /// Instrument, with its version.
    pub instrument: String,
    /// Requests that were sent and answered in it.
    pub requests: u64,
    /// Of them those that failed.
    pub failed: u64,
    /// From the first request to the last answer.
    pub duration_s: f64,
    /// Processor time of the process in it.
    pub processor_s: f64,
    /// Mean service time.
    pub mean_ms: f64,
    /// How busy its processors were (those of its limit, or of the machine), 0 to 1: the share that
    /// the process used, or waited for while others had it. Use by others that does not keep it
    /// waiting does not count; where waiting cannot be measured, all use of the machine counts.
    pub busy: f64,
    /// Counters of the process over the window, from the kernel and the JVM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counters: Option<Counters>,
    /// What it sent over connections that it opened itself, by the address of the other side; as
    /// the kernel counts it (`tcp_info`), whatever client did it. Connections that were opened and
    /// closed within the window are not in it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sent: BTreeMap<String, SentTo>,
    /// Times of the calls to other services, as their packets show them, by the address of the
    /// other side; only in the window `wire`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub calls: BTreeMap<String, CallsTo>,
}

/// Calls to one other service, as their packets show them, seen from outside of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallsTo {
    /// Protocol of the calls.
    pub protocol: Spoken,
    /// Requests with an answer. With HTTP/2, and with any protocol that has several requests under
    /// way at once, this is not the number of calls.
    pub exchanges: u64,
    /// Times of these calls; null with HTTP/2.
    pub times: Option<CallTimes>,
    /// Shortest round trip of a packet to the other side that the kernel saw, in milliseconds: the
    /// wire and both kernels. Null where the kernel does not tell.
    pub round_trip_ms: Option<f64>,
    /// The process that answers; null where it is on another machine, or another user's.
    #[serde(default)]
    pub callee: Option<CalleeSeen>,
}

/// The process that answers, observed from outside while it was called. Whatever else it did in
/// that time, for example for other callers, is included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CalleeSeen {
    /// Its processor time for each exchange, in milliseconds.
    pub cpu_ms: f64,
    /// Time for each exchange in which its threads were ready to run and had no processor, in
    /// milliseconds.
    pub starved_ms: Option<f64>,
    /// Time for each exchange in which its garbage collector stopped it, in milliseconds; null
    /// unless it is a JVM.
    pub paused_ms: Option<f64>,
}

/// Protocol, as far as the first bytes of a request tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Spoken {
    /// HTTP/1, one request at a time.
    Http1,
    /// HTTP/2, several at a time.
    Http2,
    /// Encrypted.
    Tls,
    /// Another protocol, as those of databases.
    Other,
}

/// What calls took, in milliseconds: means, unless said.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallTimes {
    /// From the first packet of a request to its last: the caller writes.
    pub sending_ms: f64,
    /// From the last packet of a request to the first of the answer: the wire, and the callee.
    pub waiting_ms: f64,
    /// Median of the waiting.
    pub waiting_p50_ms: f64,
    /// 99th percentile of the waiting.
    pub waiting_p99_ms: f64,
    /// From the first packet of an answer to its last: the callee writes.
    pub receiving_ms: f64,
}

impl CallTimes {
    /// From the first packet to the last, in milliseconds.
    #[must_use]
    pub fn total_ms(&self) -> f64 {
        self.sending_ms + self.waiting_ms + self.receiving_ms
    }
}

/// What went to one peer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SentTo {
    /// TCP segments with data; a message that is not large is one segment.
    pub messages: u64,
    /// Bytes that the other side has acknowledged.
    pub bytes: u64,
}

/// Counters of a process over a window: the value at its end minus that at its beginning. Null or
/// absent where the machine or the JVM does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Counters {
    /// What it printed, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logged_bytes: Option<u64>,
    /// Written to files, pipes and connections (`wchar` of proc(5)).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written_bytes: Option<u64>,
    /// Read from them (`rchar`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_bytes: Option<u64>,
    /// Calls of the kernel that write (`syscw`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writes: Option<u64>,
    /// Threads that the JVM started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads_started: Option<u64>,
    /// Classes that the JVM loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classes_loaded: Option<u64>,
}

/// What is added up in a ledger.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum LedgerKind {
    /// Processor time; cost in nanoseconds.
    Processor,
    /// Memory allocated; cost in bytes.
    Allocation,
    /// Objects that were allocated in the window or before and were alive at its end; the key is
    /// the class, no cost.
    Survivors,
    /// Growth of the heap over the window, by class: objects after a collection at its end, less
    /// those after one at its beginning. The key is the class, cost in bytes.
    Kept,
    /// Waiting for a lock; the key is the class of the monitor, cost in nanoseconds.
    LockWaits,
    /// Waiting for another thread; the key is the class that is waited for, cost in nanoseconds.
    Parks,
    /// Sleeping; cost in nanoseconds.
    Sleeps,
    /// Waiting for the other side of a connection; the key is the peer, cost in nanoseconds.
    SocketWaits,
    /// Reading and writing files; the key is the file, cost in nanoseconds.
    FileWaits,
    /// Throwables that were constructed, caught or not; the key is `class: message`, no cost.
    Exceptions,
    /// Classes looked for by name; the key is the name, the outcome an exception when there is
    /// none, cost in nanoseconds.
    ClassLookUps,
    /// Resources looked for by name; the key is the name, cost in nanoseconds.
    ResourceLookUps,
    /// Calls to another service; the key is the method that was called, cost in nanoseconds.
    RemoteCalls,
    /// Connections opened to others; the key is the address, cost in nanoseconds.
    Connections,
    /// Threads started; the key is the name with `N` for its numbers, no cost.
    ThreadStarts,
    /// TLS handshakes carried out; the key is the other side, no cost.
    TlsHandshakes,
    /// Virtual threads that kept their carrier while they waited; cost in nanoseconds.
    Pinned,
    /// Statements sent to a database; the key is the statement where it is known, cost in
    /// nanoseconds.
    Queries,
    /// Regular expressions compiled; the key is the expression, cost in nanoseconds.
    Regexes,
    /// Members looked for by reflection; the key is the method of `Class`, cost in nanoseconds.
    Reflection,
    /// Log lines written; the key is the library, cost in nanoseconds.
    LogLines,
    /// Tasks that waited in the queue of a thread pool; the key is the pool (the name of its
    /// threads without their number), the stack that of who handed the task over, cost in
    /// nanoseconds of waiting.
    Queueing,
    /// Classes defined; the key is the class.
    ClassDefinitions,
    /// Traps: a thread left the compiled form of a method and went on in the interpreter. The key
    /// is `reason: action` as HotSpot names them (`class_check: none`; with `none` the compiled
    /// code stays, and its next call runs into the trap again), no cost. Compiled code that the JVM
    /// discards because an assumption became invalid (a class was loaded, a call site was given
    /// another target) runs into no trap: see compilations.
    Deoptimisations,
    /// Methods compiled; the key is the compiler (`C1`, `C2`, `JVMCI`), with `, in a loop` where
    /// the code was made for a loop that was running. The stack is the method alone, without a
    /// line; cost in nanoseconds from the beginning to the end of compiling.
    Compilations,
    /// Collections; the key is the collector, cost in nanoseconds of pauses.
    Collections,
    /// Time of threads by the wall clock, whether they run or not; cost in nanoseconds.
    Wall,
}

/// The word for it in files.
impl fmt::Display for LedgerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// One kind of cost or count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ledger {
    /// What is added up in it.
    pub kind: LedgerKind,
    /// Name of the window in which it was seen.
    pub window: String,
    /// Requests of that window.
    pub requests: u64,
    /// Whether every event was counted. If not, the entries are samples, and `cost` is what they
    /// stand for.
    pub exact: bool,
    /// The entries, each with its own stack and key.
    pub entries: Vec<LedgerEntry>,
    /// Entries in the application's own code by thread; kept for the processor alone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub threads: BTreeMap<String, u64>,
    /// Entries for which there was no room, and their cost.
    pub left_out: LeftOut,
}

/// What a bounded table did not hold.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// Calls or samples.
    pub count: u64,
    /// In the unit of the ledger.
    pub cost: f64,
}

/// All events of one kind with the same stack and key, added up.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct LedgerEntry {
    /// What the event was about, depending on the kind of the ledger: a class, a statement, an
    /// address, ...
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub key: String,
    /// For look-ups, the class loader that was asked: its class, and its name where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loader: Option<String>,
    /// How it failed: the class of the exception that ended it, or `null` where the result was
    /// null. Absent when it went well, or cannot fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// `package.Class.method:line`, innermost first.
    pub frames: Vec<String>,
    /// Calls or samples in the whole window.
    pub count: u64,
    /// In the unit of the ledger, in the whole window.
    pub cost: f64,
}

/// Times of a method and of what it calls, in a window of known length.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct TracedMethod {
    /// Name of the window.
    pub window: String,
    /// Requests of that window.
    pub requests: u64,
    /// The method that was timed, as `package.Class.method`.
    pub method: String,
    /// Calls in the window.
    pub calls: u64,
    /// Their time, in nanoseconds.
    pub total_ns: u64,
    /// Present where to time each call would have cost too much: this many were timed, chosen at
    /// random, and the times stand for the others as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timed: Option<u64>,
    /// What it calls, by line.
    pub callees: Vec<TracedCallee>,
}

/// A traced method at one place of a tree.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct TracedNode {
    /// Requests of its window.
    pub requests: u64,
    /// Index of the caller in the list of nodes, and index of the call among that caller's callees,
    /// from 0; absent for the root of a tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<(usize, usize)>,
    /// The method that was timed, as `package.Class.method`.
    pub method: String,
    /// Calls in the window. Exact for a method that a tree begins with.
    pub calls: u64,
    /// Their time, in nanoseconds.
    pub total_ns: u64,
    /// Of them those that ended by an exception.
    pub failed: u64,
    /// Present where to time each call would have cost too much: this many were timed, chosen at
    /// random, and all other figures stand for the others as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timed: Option<u64>,
    /// What it calls, by line.
    pub callees: Vec<TracedCallee>,
}

/// A call in a traced method.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct TracedCallee {
    /// `package.Class.method` as the call is written: the receiver's class may be another.
    pub method: String,
    /// Line in the caller.
    pub line: Option<u32>,
    /// Calls in the window.
    pub calls: u64,
    /// Their time, in nanoseconds.
    pub total_ns: u64,
    /// Of them those that ended by an exception.
    pub failed: u64,
    /// Whether these figures are estimates, because only a random sample of the calls of the tree's
    /// root was timed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

impl Dissection {
    /// The ledger of a kind.
    #[must_use]
    pub fn ledger(&self, kind: LedgerKind) -> Option<&Ledger> {
        self.ledgers.iter().find(|ledger| ledger.kind == kind)
    }

    /// The window of a name.
    #[must_use]
    pub fn window(&self, name: &str) -> Option<&Window> {
        self.windows.iter().find(|window| window.name == name)
    }
}

//! From `exec` to ready, watched from outside.
//!
//! Cost for the subject: none until it listens (the kernel is asked for listening sockets, see
//! [`crate::sockets`]), then one connection and one small request at a time.

mod agent;
mod answer;
mod choice;
mod connection;
mod line;
mod listeners;
mod log_tail;
mod paths;
mod port;
mod time_line;
mod trying;
mod watch;
mod watched;

pub use line::until_line;
pub use paths::HEALTH_PATHS;
pub use watch::until_ready;
pub use watched::{Network, Watched};

use crate::child::Exit;
use crate::descriptors::is_exhaustion;

use regex::Regex;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tacho_run_folder::TimeLine;

/// When a subject counts as ready.
#[derive(Debug, Clone)]
pub enum Condition {
    /// Finds it out. It asks [`HEALTH_PATHS`] in their order, then the experiment's own first GET
    /// request, then `/`. 2xx means ready. 503 means `not yet`: from then on only that path is
    /// asked. Any other answer leads to the next path. When all paths were answered below 500, the
    /// subject is ready because it answers HTTP; otherwise they are asked again. Where several
    /// ports listen, or the only one answers nothing with 2xx, the port that answers the
    /// experiment's own request is taken; of several such ports, the one that was opened first.
    /// Such a port has some seconds to open.
    ///
    /// If a JVM runs with an agent, a port that answers even what no service has is taken only when
    /// half of the time to become ready is over and no other port was ready; for
    /// [`Condition::Http`] as well.
    Auto {
        /// Path of the first GET request of the experiment.
        request_path: Option<String>,
    },
    /// This path answers 2xx, at whatever port.
    Http(String),
    /// A line of the log, colours removed, matches; and a port listens. Beside an agent, a port
    /// that answers even what no service has is taken only when no other listens two seconds after
    /// the line.
    Log(Regex),
    /// A connection is accepted. Beside an agent, a port that answers even what no service has is
    /// taken only when half of the time to become ready is over and no other takes connections.
    Port,
}

/// How to watch.
pub struct Watch<'a> {
    /// Port to wait for; else the first that answers HTTP.
    pub port: Option<u16>,
    /// When it is ready.
    pub condition: Condition,
    /// Paths that [`Condition::Auto`] asks first, where the framework is known: fewer useless
    /// probes hit a cold subject.
    pub preferred_paths: Vec<String>,
    /// Counted from `exec`.
    pub timeout: Duration,
    /// Ends the watch.
    pub stop: &'a AtomicBool,
    /// Names the processes whose sockets count, such as those of the control group. Otherwise these
    /// are the child, its descendants and its session.
    pub processes: Option<&'a dyn Fn() -> Vec<u32>>,
}

/// A subject that is ready.
#[derive(Debug, Clone)]
pub struct Ready {
    /// Instants from exec to ready.
    pub time_line: TimeLine,
    /// Where it answers.
    pub address: SocketAddr,
    /// Processor time of the watch, in seconds.
    pub cpu_s: f64,
}

/// A subject that did not become ready.
#[derive(Debug)]
pub struct NotReady {
    /// What ended the wait.
    pub why: Why,
    /// What was observed, to complete a sentence that begins with `it`.
    pub seen: String,
    /// It was stopped by a signal, and more time would not have helped.
    pub was_stopped: bool,
    /// The instants that came.
    pub time_line: TimeLine,
    /// Processor time of the watch, in seconds.
    pub cpu_s: f64,
}

/// Why a subject did not become ready.
#[derive(Debug)]
pub enum Why {
    /// It ended before.
    Ended(Exit),
    /// It did not in this time.
    TimedOut(Duration),
    /// The user ended the run.
    Stopped,
    /// It could not be watched.
    Unwatchable(io::Error),
}

impl NotReady {
    /// A port wants TLS, and none spoke HTTP.
    pub(crate) fn wants_tls(&self) -> bool {
        self.time_line.first_response_ms.is_none() && self.seen.contains(answer::TLS)
    }
}

impl std::error::Error for NotReady {}

impl fmt::Display for NotReady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seen = &self.seen;
        match &self.why {
            Why::Ended(exit) => write!(f, "it {exit} before it was ready; until then it {seen}"),
            Why::TimedOut(timeout) => write!(
                f,
                "it was not ready after {} s: it {seen}",
                timeout.as_secs_f64()
            ),
            Why::Stopped => write!(f, "it was ended because the run was stopped"),
            Why::Unwatchable(e) if is_exhaustion(e) => e.fmt(f),
            Why::Unwatchable(e) => write!(f, "it could not be watched: {e}"),
        }
    }
}

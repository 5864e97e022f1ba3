//! Runs commands to their end: builds, training launches, `jlink`.

use crate::child::Exit;
use crate::log::last_lines;
use crate::spawn::{Spawn, SpawnError, spawn};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Lines of the log that are kept for messages.
const TAIL_LINES: usize = 40;
/// How soon a stop is noticed.
const STOP_LOOK: Duration = Duration::from_millis(50);
/// What a build tool gets to remove its temporary files.
const GRACE: Duration = Duration::from_secs(3);

/// A command that ended by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// Code or signal with which it ended.
    pub exit: Exit,
    /// From `exec` to its end, as it was noticed.
    pub seconds: f64,
    /// The end of what it printed.
    pub tail: Vec<String>,
}

/// Why a command did not end by itself.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It was not started.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    /// The user ended the run.
    #[error("it was ended because the run was stopped")]
    Stopped,
    /// It took too long.
    #[error(
        "it was ended after {seconds:.0} s without a result; the end of its output says where it hangs"
    )]
    TimedOut {
        /// How long it was given.
        seconds: f64,
        /// The end of what it printed.
        tail: Vec<String>,
    },
    /// The system could not wait for it.
    #[error("it could not be waited for: {0}")]
    Wait(#[from] io::Error),
}

/// Starts a command and waits for its end. It is ended when `stop` is set or the time is over.
/// Processes that it left in the background are ended, too.
pub fn run_to_end(what: Spawn, stop: &AtomicBool, timeout: Duration) -> Result<Finished, RunError> {
    let log = what.log.clone();
    let mut child = spawn(what)?;
    let tail = |from| last_lines(&log, from, TAIL_LINES).unwrap_or_default();
    let began = Instant::now();
    loop {
        if let Some(exit) = child.wait_timeout(STOP_LOOK)? {
            let seconds =
                tacho_clock::ms_between(child.exec_ns(), tacho_clock::monotonic_ns()) / 1e3;
            child.terminate(Duration::ZERO)?;
            return Ok(Finished {
                exit,
                seconds,
                tail: tail(child.log_start()),
            });
        }
        if stop.load(Ordering::Relaxed) {
            child.terminate(GRACE)?;
            return Err(RunError::Stopped);
        }
        if began.elapsed() >= timeout {
            child.terminate(GRACE)?;
            return Err(RunError::TimedOut {
                seconds: timeout.as_secs_f64(),
                tail: tail(child.log_start()),
            });
        }
    }
}

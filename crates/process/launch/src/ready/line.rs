//! Readiness by a line of the log alone, for a process that need not listen itself, such as a
//! client that has a daemon start a container.

use super::log_tail::LogTail;
use super::{NotReady, Why};
use crate::child::Child;
use crate::descriptors;
use regex::Regex;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tacho_clock::{monotonic_ns, ms_between, thread_cpu_s};
use tacho_run_folder::TimeLine;

/// Interval between two looks. Nothing is measured by this.
const LOOK: Duration = Duration::from_millis(10);

/// Watches a started process until a line of its log, colours removed, matches. `timeout` counts
/// from `exec`; `stop` ends the watch.
///
/// # Errors
/// With what was seen instead.
pub fn until_line(
    child: &mut Child,
    pattern: &Regex,
    timeout: Duration,
    stop: &AtomicBool,
) -> Result<TimeLine, Box<NotReady>> {
    let cpu_before = thread_cpu_s();
    find(child, pattern, timeout, stop).map_err(|why| {
        Box::new(NotReady {
            why,
            seen: format!("wrote no line that matches `{pattern}`"),
            was_stopped: child.is_stopped(),
            time_line: TimeLine::default(),
            cpu_s: thread_cpu_s() - cpu_before,
        })
    })
}

fn find(
    child: &mut Child,
    pattern: &Regex,
    timeout: Duration,
    stop: &AtomicBool,
) -> Result<TimeLine, Why> {
    let mut log = LogTail::open(child.log(), child.log_start()).map_err(Why::Unwatchable)?;
    let timeout_ms = timeout.as_secs_f64() * 1e3;
    loop {
        let ended = child.wait_timeout(LOOK).map_err(Why::Unwatchable)?;
        let line = log.find(pattern).map_err(Why::Unwatchable)?;
        let since_exec_ms = ms_between(child.exec_ns(), monotonic_ns());
        match (line, ended) {
            (_, Some(exit)) => return Err(Why::Ended(exit)),
            (Some(line), None) => {
                return Ok(TimeLine {
                    ready_ms: Some(since_exec_ms),
                    resolution_ms: LOOK.as_secs_f64() * 1e3,
                    ready_by: Some(format!("its log says: {line}")),
                    ..TimeLine::default()
                });
            }
            (None, None) => {}
        }
        if let Some(none) = descriptors::exhausted() {
            return Err(Why::Unwatchable(io::Error::other(none)));
        }
        if stop.load(Ordering::Relaxed) {
            return Err(Why::Stopped);
        }
        if since_exec_ms >= timeout_ms {
            return Err(Why::TimedOut(timeout));
        }
    }
}

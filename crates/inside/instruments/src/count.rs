//! Calls by key, outcome and stack.

use crate::error::InstrumentError;
use crate::window::{Target, Window};
use tacho_diagnosis::live::{Calls, Ended};
use tacho_jvm_agent::Probe;

/// What was counted.
#[derive(Debug)]
pub struct Counted {
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

/// Counts until the time is over.
///
/// # Errors
/// When the JVM lets nobody in, or has ended.
pub fn count(target: Target<'_>, probes: &[Probe]) -> Result<Counted, InstrumentError> {
    let mut window = Window::open(target)?;
    let begun = window.agent.begin(probes, &window.own)?;
    window.note(&begun);
    window.wait(target.duration);
    let snapshot = window.agent.snapshot()?;
    Ok(Counted {
        elapsed_s: snapshot.elapsed_ns as f64 / 1e9,
        own: window.own.clone(),
        calls: snapshot.calls,
        left_out: snapshot.left_out.iter().map(|(_, count)| count).sum(),
        removed: window.close()?,
    })
}

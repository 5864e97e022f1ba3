//! Calls by key, outcome and stack.

use crate::error::InstrumentError;
use crate::window::{Target, Window};
use tacho_diagnosis::live::Counted;
use tacho_jvm_agent::Probe;

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
        pid: target.pid,
        elapsed_s: snapshot.elapsed_ns as f64 / 1e9,
        own: window.own.clone(),
        calls: snapshot.calls,
        left_out: snapshot.left_out.iter().map(|(_, count)| count).sum(),
        removed: window.close()?,
    })
}

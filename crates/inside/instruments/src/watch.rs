//! Calls one by one, as they come.

use crate::error::InstrumentError;
use crate::window::{Target, Window};
use std::time::{Duration, Instant};
use tacho_diagnosis::live::{Watched, WatchedCall};
use tacho_jvm_agent::Watch;

const LOOK: Duration = Duration::from_millis(300);

/// Something to show before the watch is over.
#[derive(Debug)]
pub enum Seen<'s> {
    /// Show this at once.
    Note(&'s str),
    /// A call that has ended.
    Call(&'s WatchedCall),
}

/// Shows calls until there are enough of them.
///
/// # Errors
/// When the JVM lets nobody in or has ended, no class has such a method, or `show` fails.
pub fn watch<E: From<InstrumentError>>(
    target: Target<'_>,
    wanted: &Watch,
    show: &mut dyn FnMut(Seen<'_>) -> Result<(), E>,
) -> Result<Watched, E> {
    let mut window = Window::open(target)?;
    let begun = window
        .agent
        .watch(wanted, &window.own)
        .map_err(InstrumentError::from)?;
    window.note(&begun);
    let methods = std::slice::from_ref(&wanted.methods);
    window.note_unmatched(&begun, methods, &mut |note| {
        // If it cannot be shown now, it is shown at the end.
        let _ = show(Seen::Note(note));
    })?;
    let begin = Instant::now();
    let mut calls: Vec<WatchedCall> = Vec::new();
    while calls.len() < wanted.at_most as usize
        && begin.elapsed() < target.duration
        && !target.is_ended()
    {
        window.wait(LOOK.min(target.duration.saturating_sub(begin.elapsed())));
        let seen = window
            .agent
            .snapshot()
            .map_err(InstrumentError::from)?
            .watched;
        for call in seen.iter().skip(calls.len()) {
            show(Seen::Call(call))?;
        }
        calls = seen;
    }
    Ok(Watched {
        pid: target.pid,
        removed: window.close()?,
        elapsed: begin.elapsed(),
        calls,
    })
}

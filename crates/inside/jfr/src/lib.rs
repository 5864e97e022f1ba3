//! Flight recordings of the JVM.
//!
//! ```text
//! settings  memory.jfc --> -XX:StartFlightRecording=settings=...   what is recorded, and why
//! reader    recording.jfr --JfrReader, run by a JVM--> JSON lines
//! event     a line --> Event
//! work      a line --> WorkEvent: what a request spends
//! first_samples   what the first sample of a thread stands for
//! ledgers   WorkEvents --> Ledger, for diagnoses and profiles
//! profile   which events of the JVM's own recorder a profile asks for
//! recorder  the JVM's own recorder, started and stopped from outside
//! room      and not where it would fill the disk, which ends the JVM
//! summary   events --> FlightRecording                              the table of kinds; in constant memory
//! ```
//! Only a JVM knows its format of recordings, so a JVM reads them (`jdk.jfr.consumer`). The jar of
//! `jvm/jfr-reader` is part of this program. Recording costs the JVM time, so it is used in
//! diagnosis launches and never in measured ones.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod confined;
mod event;
mod first_samples;
mod ledgers;
mod names;
mod profile;
mod reader;
mod recorder;
mod room;
mod settings;
mod summary;
mod trace;
mod work;

pub use event::Event;
pub use ledgers::{Filling, share_out};
pub use profile::profile_settings;
pub use reader::{JfrError, Reading, read};
pub use recorder::{Recorder, RecorderError, stop};
pub use settings::{MEMORY, RECORDING_NAME, flags};
pub use summary::Summary;
pub use trace::{TracedCall, parse_call, read_calls, trace_settings};
pub use work::{EVENTS, PROCESSOR, WorkEvent, parse_work, read_work};

/// Everything of a recording that [`Summary`] adds up.
///
/// # Errors
/// See [`read`].
pub fn summarise(reading: &Reading<'_>) -> Result<tacho_run_folder::FlightRecording, JfrError> {
    let mut summary = Summary::default();
    read(reading, &mut |event| summary.add(event))?;
    Ok(summary.finish())
}

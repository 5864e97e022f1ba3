//! Several generators whose clocks start at the same instant.

use std::fmt::Debug;

/// Where a generator waits, once its connections are open, to be told when its clock starts.
pub trait Gate: Debug + Send {
    /// Waits for the instant at which the clock starts, in monotonic nanoseconds; it may lie in the
    /// future. An error is a text for people, and ends the phase before anything is sent.
    fn pass(&mut self) -> Result<u64, String>;
}

/// When a phase was carried out, in monotonic nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// When its loop was entered. Its clock may have been started for an earlier instant.
    pub began: u64,
    /// The first instant at which the schedule wanted a request sent; `None` when none was.
    pub first_intended: Option<u64>,
    /// When the last request was concluded.
    pub last_end: u64,
}

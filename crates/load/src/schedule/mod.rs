//! When requests are to be sent: pure functions of time. No clock, no file, no socket.
//!
//! Instants are nanoseconds since the beginning of the phase. A schedule is asked for the instant
//! of request `n`, so that a late generator can neither skip nor move a request: it can only be
//! late, and be seen to be late. (The same idea as Hyperfoil's `FireTimeSequence`.)
//!
//! A new schedule is a new module with one type that implements [`Schedule`].

mod constant;
mod joining;

pub use constant::ConstantRate;
pub use joining::Joining;

/// Arrivals that do not depend on what the subject does.
pub trait Schedule {
    /// The intended instant of request `n`, counted from 0, in nanoseconds since the beginning of
    /// the phase; never less than that of `n - 1`. `None` after the last request.
    fn intended(&self, n: u64) -> Option<u64>;

    /// The length of the schedule in nanoseconds: no intended instant is at or after it.
    fn duration(&self) -> u64;
}

/// A schedule that cannot be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ScheduleError {
    /// Not a positive number.
    #[error("a rate of {0} requests a second cannot be kept; give a number above 0")]
    Rate(f64),
    /// Negative or not a number.
    #[error("a duration of {0} s is no duration; give seconds, 0 or more")]
    Duration(f64),
    /// No connection at all.
    #[error("a phase needs at least one connection; set `connections` to 1 or more")]
    NoConnections,
}

/// Seconds as nanoseconds, when they are a duration.
fn duration_ns(seconds: f64) -> Result<u64, ScheduleError> {
    if seconds.is_finite() && seconds >= 0.0 {
        Ok((seconds * 1e9) as u64)
    } else {
        Err(ScheduleError::Duration(seconds))
    }
}

//! When requests are to be sent: pure functions of time. No clock, no socket; only [`build`] opens
//! a file, that of a replay, before the clock starts.
//!
//! Instants are nanoseconds since the beginning of the phase. A schedule is asked for the instant
//! of request `n`, so that a late generator can neither skip nor move a request: it can only be
//! late, and be seen to be late. (The same idea as Hyperfoil's `FireTimeSequence`.)
//!
//! | schedule | request `n` is due |
//! |---|---|
//! | [`ConstantRate`], [`Ramp`], [`Steps`], [`Sine`] | when the integral of the rate reaches `n` |
//! | [`Burst`] | in burst `n / k`, at its share of the burst's time |
//! | [`Poisson`] | at the `n`-th point of a random process that the seed decides |
//! | [`Replay`] | when it was recorded, relative to the first |
//!
//! A new schedule is a new module with one type that implements [`Schedule`], and an arm of
//! [`build`].

mod build;
mod burst;
mod constant;
mod joining;
mod poisson;
#[cfg(test)]
mod properties;
mod ramp;
mod recording;
mod replay;
mod sine;
mod steps;

pub use build::build;
pub use burst::Burst;
pub use constant::ConstantRate;
pub use joining::Joining;
pub use poisson::Poisson;
pub use ramp::Ramp;
pub use recording::{MOST_INSTANTS, RecordingError, read as read_recording};
pub use replay::Replay;
pub use sine::Sine;
pub use steps::Steps;

/// Arrivals that do not depend on what the subject does.
pub trait Schedule {
    /// The intended instant of request `n`, counted from 0, in nanoseconds since the beginning of
    /// the phase; never less than that of `n - 1`. `None` after the last request. The answer
    /// depends on `n` alone, not on what was asked before.
    fn intended(&self, n: u64) -> Option<u64>;

    /// The length of the schedule in nanoseconds: no intended instant is at or after it.
    fn duration(&self) -> u64;
}

impl<S: Schedule + ?Sized> Schedule for &S {
    #[inline]
    fn intended(&self, n: u64) -> Option<u64> {
        (**self).intended(n)
    }

    fn duration(&self) -> u64 {
        (**self).duration()
    }
}

impl<S: Schedule + ?Sized> Schedule for Box<S> {
    #[inline]
    fn intended(&self, n: u64) -> Option<u64> {
        (**self).intended(n)
    }

    fn duration(&self) -> u64 {
        (**self).duration()
    }
}

/// Ten requests in a microsecond: more than one thread can send, and few enough that neighbours
/// have instants of their own.
pub const HIGHEST_RATE: f64 = 1e7;

/// 104 days. Up to here an `f64` tells one nanosecond from the next.
pub const LONGEST_NS: u64 = 1 << 53;

/// Why a schedule is impossible.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ScheduleError {
    /// Not a positive number.
    #[error("a rate of {0} requests a second cannot be scheduled; give a number above 0")]
    Rate(f64),
    /// A rate above [`HIGHEST_RATE`], in requests a second.
    #[error(
        "a rate of {0} requests a second cannot be scheduled; give at most {HIGHEST_RATE}, or spread it over several machines"
    )]
    RateTooHigh(f64),
    /// Negative or not a number.
    #[error("a duration of {0} s is no duration; give seconds, 0 or more")]
    Duration(f64),
    /// Nothing can be spread over no time.
    #[error("a duration of {0} s is none; give more than 0 s")]
    NoTime(f64),
    /// A duration above [`LONGEST_NS`], in seconds.
    #[error("{0} s are longer than a schedule can be (104 days); give less, or several phases")]
    TooLong(f64),
    /// Nothing would ever be sent.
    #[error("this schedule sends nothing; give it a rate above 0, or make the phase a `rest`")]
    NoRequests,
    /// The rate would fall below 0.
    #[error(
        "an amplitude of {amplitude} about a mean of {mean} requests a second cannot be scheduled; give one between 0 and the mean"
    )]
    Amplitude {
        /// Requests a second.
        amplitude: f64,
        /// Requests a second.
        mean: f64,
    },
    /// Bursts without any length and without any rest.
    #[error("bursts that take no time need a rest between them; set `rest` or `over` above 0 s")]
    EndlessBurst,
    /// Not a positive number.
    #[error("a replay cannot have the speed {0}; give a number above 0, 1 for the recorded speed")]
    Speed(f64),
    /// What was recorded is not there or not understood.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// No connection at all.
    #[error("a phase needs at least one connection; set `connections` to 1 or more")]
    NoConnections,
    /// Fewer connections than instances, so that some could not be reached.
    #[error(
        "{connections} connections cannot reach {instances} instances; set `connections` to {instances} or more"
    )]
    TooFewConnections {
        /// As asked for.
        connections: u32,
        /// Each needs one.
        instances: u32,
    },
    /// A closed loop that nothing ends.
    #[error("a closed loop needs an end; set `requests`, `duration`, or both")]
    NoEnd,
}

/// Seconds as nanoseconds, when they are a duration; 0 is one.
fn duration_ns(seconds: f64) -> Result<u64, ScheduleError> {
    if !(seconds.is_finite() && seconds >= 0.0) {
        return Err(ScheduleError::Duration(seconds));
    }
    let ns = seconds * 1e9;
    if ns > LONGEST_NS as f64 {
        return Err(ScheduleError::TooLong(seconds));
    }
    Ok(ns as u64)
}

/// As [`duration_ns`], of at least a nanosecond.
pub(crate) fn length_ns(seconds: f64) -> Result<u64, ScheduleError> {
    match duration_ns(seconds)? {
        0 => Err(ScheduleError::NoTime(seconds)),
        ns => Ok(ns),
    }
}

/// A rate that can be scheduled.
fn rate(rate: f64) -> Result<f64, ScheduleError> {
    if !(rate.is_finite() && rate > 0.0) {
        return Err(ScheduleError::Rate(rate));
    }
    if rate > HIGHEST_RATE {
        return Err(ScheduleError::RateTooHigh(rate));
    }
    Ok(rate)
}

/// A rate that can be scheduled, or none for a while.
fn rate_or_none(requested: f64) -> Result<f64, ScheduleError> {
    if requested == 0.0 {
        Ok(0.0)
    } else {
        rate(requested)
    }
}

/// The nearest nanosecond that is still within the schedule.
fn instant_ns(seconds: f64, duration_ns: u64) -> u64 {
    ((seconds * 1e9).round() as u64).min(duration_ns - 1)
}

//! The one clock: `CLOCK_MONOTONIC` in nanoseconds, and the processor time of a thread.

use rustix::time::{ClockId, Timespec, clock_gettime};

/// Nanoseconds in a second.
pub(crate) const SECOND: u64 = 1_000_000_000;

/// Nanoseconds in a millisecond.
pub(crate) const MILLISECOND: u64 = 1_000_000;

/// The monotonic clock in nanoseconds. Read through the vDSO: no system call.
#[inline]
#[must_use]
pub fn monotonic_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::Monotonic))
}

/// Processor time of the calling thread in nanoseconds. A system call: not for the hot loop.
pub(crate) fn thread_cpu_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::ThreadCPUTime))
}

/// Neither clock is ever negative.
#[inline]
fn nanoseconds(time: Timespec) -> u64 {
    (time.tv_sec as u64) * SECOND + time.tv_nsec as u64
}

/// Seconds as nanoseconds; negative and not-a-number become 0.
pub(crate) fn from_seconds(seconds: f64) -> u64 {
    (seconds * 1e9) as u64
}

/// Nanoseconds as milliseconds.
pub(crate) fn to_ms(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e6
}

/// Nanoseconds as seconds.
pub(crate) fn to_seconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e9
}

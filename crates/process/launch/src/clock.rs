//! The clock of a launch: `CLOCK_MONOTONIC` in nanoseconds, and one wall-clock anchor.

use rustix::time::{ClockId, Timespec, clock_gettime};

/// Nanoseconds of `CLOCK_MONOTONIC`: the clock of every instant in Tacho.
#[must_use]
pub fn now_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::Monotonic))
}

/// Processor time of the calling thread, in seconds: what an observer costs.
#[must_use]
pub fn thread_cpu_s() -> f64 {
    nanoseconds(clock_gettime(ClockId::ThreadCPUTime)) as f64 / 1e9
}

pub(crate) fn nanoseconds(at: Timespec) -> u64 {
    // Both clocks count from a point in the past, so that neither part is negative.
    (at.tv_sec as u64)
        .wrapping_mul(1_000_000_000)
        .wrapping_add(at.tv_nsec as u64)
}

/// An instant read on both clocks, one straight after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anchor {
    /// `CLOCK_MONOTONIC`, nanoseconds.
    pub monotonic_ns: u64,
    /// `CLOCK_REALTIME`, nanoseconds since 1970.
    pub realtime_ns: u64,
}

impl Anchor {
    /// RFC 3339, UTC, with microseconds.
    #[must_use]
    pub fn rfc3339(&self) -> String {
        jiff::Timestamp::from_nanosecond(i128::from(self.realtime_ns)).map_or_else(
            |_| "1970-01-01T00:00:00.000000Z".to_owned(),
            |at| format!("{at:.6}"),
        )
    }
}

/// Milliseconds from one instant to a later one; 0 when it is not later.
#[must_use]
pub(crate) fn ms_between(from_ns: u64, to_ns: u64) -> f64 {
    to_ns.saturating_sub(from_ns) as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_anchor_is_written_in_utc_with_microseconds() {
        let anchor = Anchor {
            monotonic_ns: 0,
            realtime_ns: 1_763_760_807_123_456_789,
        };
        assert_eq!(anchor.rfc3339(), "2025-11-21T21:33:27.123456Z");
    }

    #[test]
    fn an_instant_before_exec_counts_as_zero() {
        assert_eq!(ms_between(5_000_000, 7_500_000), 2.5);
        assert_eq!(ms_between(7, 5), 0.0);
    }
}

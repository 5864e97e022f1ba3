//! The clock of all recorded instants: nanoseconds of `CLOCK_MONOTONIC`, and one anchor that says
//! what the wall clock showed at one of them. Timeouts may use `Instant`, because nobody records
//! them.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

use rustix::time::{ClockId, Timespec, clock_gettime};
use std::time::{Duration, SystemTime};

/// Nanoseconds in a second.
pub const SECOND: u64 = 1_000_000_000;

/// Nanoseconds in a microsecond.
pub const MICROSECOND: u64 = 1_000;

/// Nanoseconds in a millisecond.
pub const MILLISECOND: u64 = 1_000_000;

/// The monotonic clock in nanoseconds. Read through the vDSO: no system call.
#[inline]
#[must_use]
pub fn monotonic_ns() -> u64 {
    read(ClockId::Monotonic)
}

/// The wall clock, in nanoseconds since 1970. It may be set at any time.
#[inline]
#[must_use]
pub fn wall_ns() -> u64 {
    read(ClockId::Realtime)
}

/// Processor time of the calling thread in nanoseconds. A system call: not for the hot loop.
#[inline]
#[must_use]
pub fn thread_cpu_ns() -> u64 {
    read(ClockId::ThreadCPUTime)
}

/// Processor time of the calling thread, in seconds. Used to measure what an observer costs.
#[must_use]
pub fn thread_cpu_s() -> f64 {
    to_seconds(thread_cpu_ns())
}

/// Processor time of this process, all threads, in seconds.
#[must_use]
pub fn process_cpu_s() -> f64 {
    to_seconds(read(ClockId::ProcessCPUTime))
}

#[inline]
fn read(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    // None of them is ever negative.
    (time.tv_sec as u64) * SECOND + time.tv_nsec as u64
}

/// Nanoseconds as the kernel wants them.
#[inline]
#[must_use]
pub fn timespec(ns: u64) -> Timespec {
    Timespec {
        tv_sec: (ns / SECOND) as i64,
        tv_nsec: (ns % SECOND) as i64,
    }
}

/// Seconds as nanoseconds; negative values and NaN become 0.
#[inline]
#[must_use]
pub fn from_seconds(seconds: f64) -> u64 {
    (seconds * 1e9) as u64
}

/// Nanoseconds as milliseconds.
#[inline]
#[must_use]
pub fn to_ms(ns: u64) -> f64 {
    ns as f64 / 1e6
}

/// Nanoseconds as seconds.
#[inline]
#[must_use]
pub fn to_seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

/// Milliseconds from one instant to a later one; 0 when it is not later.
#[inline]
#[must_use]
pub fn ms_between(from_ns: u64, to_ns: u64) -> f64 {
    to_ms(to_ns.saturating_sub(from_ns))
}

/// Nanoseconds since 1970 of an instant in RFC 3339; `None` for any other text, and for instants
/// before 1970.
#[must_use]
pub fn wall_ns_of(rfc3339: &str) -> Option<u64> {
    let at: jiff::Timestamp = rfc3339.parse().ok()?;
    u64::try_from(at.as_nanosecond()).ok()
}

/// Two readings at most this far apart count as the same instant; nanoseconds.
const CLOSE_NS: u64 = 5_000;

/// An instant on both clocks, from which other instants are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anchor {
    /// `CLOCK_MONOTONIC`, nanoseconds since the boot.
    pub monotonic_ns: u64,
    /// `CLOCK_REALTIME`, nanoseconds since 1970.
    pub realtime_ns: u64,
}

impl Anchor {
    /// The present instant. When the thread was descheduled between two readings, both clocks are
    /// read again, eight times in all at most. It neither allocates nor locks, so a child may call
    /// it between `fork` and `exec`.
    #[must_use]
    pub fn now() -> Self {
        let mut tries = 0;
        loop {
            let before_ns = monotonic_ns();
            let realtime_ns = wall_ns();
            let monotonic_ns = monotonic_ns();
            tries += 1;
            let apart_ns = monotonic_ns.saturating_sub(before_ns);
            if apart_ns < CLOSE_NS || tries == 8 {
                return Self {
                    monotonic_ns,
                    realtime_ns: realtime_ns + apart_ns / 2,
                };
            }
        }
    }

    /// The instant at which the wall clock showed this time. The wall clock must not have been set
    /// since.
    #[must_use]
    pub fn at_wall(realtime_ns: u64) -> Self {
        let now = Self::now();
        let ago_ns = now.realtime_ns.saturating_sub(realtime_ns);
        Self {
            monotonic_ns: now.monotonic_ns.saturating_sub(ago_ns),
            realtime_ns: now.realtime_ns.saturating_sub(ago_ns),
        }
    }

    /// What the wall clock showed at this instant.
    #[must_use]
    pub fn wall(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_nanos(self.realtime_ns)
    }

    /// The instant in RFC 3339, in UTC, with microseconds.
    #[must_use]
    pub fn rfc3339(&self) -> String {
        jiff::Timestamp::from_nanosecond(i128::from(self.realtime_ns)).map_or_else(
            |_| "1970-01-01T00:00:00.000000Z".to_owned(),
            |at| format!("{at:.6}"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_works_is_charged_and_one_that_sleeps_is_not() {
        let (thread, wall) = (thread_cpu_s(), monotonic_ns());
        while thread_cpu_s() - thread < 0.02 {}
        // Two clocks, each of which the kernel reads and corrects by itself.
        assert!(monotonic_ns() - wall >= 19_000_000);
        let before = thread_cpu_s();
        std::thread::sleep(Duration::from_millis(50));
        assert!(thread_cpu_s() - before < 0.02);
        assert!(process_cpu_s() >= 0.02);
    }

    #[test]
    fn the_anchor_is_written_in_utc_with_microseconds() {
        let anchor = Anchor {
            monotonic_ns: 0,
            realtime_ns: 1_763_760_807_123_456_789,
        };
        assert_eq!(anchor.rfc3339(), "2025-11-21T21:33:27.123456Z");
        let read = wall_ns_of(&anchor.rfc3339());
        assert_eq!(read, Some(1_763_760_807_123_456_000));
        assert_eq!(
            wall_ns_of("2025-11-21T21:33:27Z"),
            Some(1_763_760_807_000_000_000)
        );
        assert_eq!(
            (wall_ns_of("soon"), wall_ns_of("1969-01-01T00:00:00Z")),
            (None, None)
        );
    }

    #[test]
    fn an_instant_of_the_wall_clock_has_its_place_on_the_other() {
        let now = Anchor::now();
        let then = Anchor::at_wall(now.realtime_ns - 3_000_000_000);
        let ago = now.monotonic_ns.abs_diff(then.monotonic_ns + 3_000_000_000);
        assert!(ago < 1_000_000_000, "{now:?}, {then:?}");
        // What is still to come is now.
        let ahead = Anchor::at_wall(now.realtime_ns + 60_000_000_000);
        assert!(ahead.monotonic_ns < now.monotonic_ns + 60_000_000_000);
    }

    #[test]
    fn an_anchor_is_one_instant_on_both_clocks() {
        let (before, wall) = (monotonic_ns(), SystemTime::now());
        let anchor = Anchor::now();
        let (after, later) = (monotonic_ns(), SystemTime::now());
        assert!((before..=after).contains(&anchor.monotonic_ns));
        // The middle of the readings is taken, which may be after the reading of the wall clock.
        let apart = Duration::from_nanos(after - before);
        assert!(
            (wall..=later + apart).contains(&anchor.wall()),
            "{anchor:?}"
        );
    }

    #[test]
    fn an_instant_before_exec_counts_as_zero() {
        assert_eq!(ms_between(5_000_000, 7_500_000), 2.5);
        assert_eq!(ms_between(7, 5), 0.0);
    }
}

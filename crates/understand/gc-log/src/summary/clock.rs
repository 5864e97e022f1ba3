//! One axis of time for a whole log: nanoseconds since its first line.

use super::{Time, seconds};
use crate::decorations::At;

/// The uptime of lines that threads write at the same time may fall by a little; by more than this
/// it is another JVM's.
const RESTART: u64 = 1_000_000_000;

/// The axis of a log, across restarts of the JVM.
#[derive(Debug, Default)]
pub struct Clock {
    /// Of the first line, on its own clock.
    first: Option<u64>,
    /// Added to the instants of this JVM: what those before it took.
    offset: u64,
    /// The first of this JVM.
    begin: u64,
    /// The latest of this JVM.
    latest: u64,
    began: Option<i64>,
    /// Another JVM writes the next line, whatever its uptime says.
    is_another: bool,
    /// How often another JVM began.
    pub restarts: u64,
}

impl Clock {
    /// The instant of a line on the axis; `None` when the line says none.
    pub fn take(&mut self, at: At) -> Option<u64> {
        if self.began.is_none() {
            self.began = at.wall;
        }
        let instant = at.uptime.or_else(|| {
            let millis = u64::try_from(at.wall?).ok()?;
            millis.checked_mul(1_000_000)
        })?;
        if self.first.is_none() {
            self.first = Some(instant);
            self.begin = instant;
            self.latest = instant;
        }
        let is_another = std::mem::take(&mut self.is_another);
        if instant.saturating_add(RESTART) < self.latest {
            // What the new JVM took until its first line belongs to the time as well.
            self.offset = self.offset.saturating_add(self.latest - self.begin);
            self.begin = if at.uptime.is_some() { 0 } else { instant };
            self.latest = instant;
            self.restarts += 1;
        } else if is_another {
            // Its own begin is missing: what lies between the two is not covered.
            self.offset = self.offset.saturating_add(self.latest - self.begin);
            self.begin = instant;
            self.latest = instant;
            self.restarts += 1;
        }
        self.latest = self.latest.max(instant);
        Some(
            self.offset
                .saturating_add(instant.saturating_sub(self.begin)),
        )
    }

    /// The numbers of collections fell: another JVM writes from the next line on.
    pub fn restart(&mut self) {
        self.is_another = true;
    }

    /// From the first line to the last; `None` when no line says an instant.
    pub fn duration(&self) -> Option<u64> {
        self.first?;
        Some(self.offset.saturating_add(self.latest - self.begin))
    }

    /// In words that are written.
    pub fn finish(&self) -> Option<Time> {
        Some(Time {
            first_s: seconds(self.first?),
            duration_s: seconds(self.duration()?),
            began: self
                .began
                .and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok())
                .map(|at| at.to_string()),
            restarts: self.restarts,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{At, Clock};

    fn uptime(seconds: u64) -> At {
        At {
            uptime: Some(seconds * 1_000_000_000),
            wall: None,
        }
    }

    #[test]
    fn a_fall_of_the_uptime_is_a_restart() {
        let mut clock = Clock::default();
        assert_eq!(clock.take(uptime(10)), Some(0));
        assert_eq!(clock.take(uptime(30)), Some(20_000_000_000));
        assert_eq!(clock.take(uptime(2)), Some(22_000_000_000));
        assert_eq!(clock.restarts, 1);
        assert_eq!(clock.duration(), Some(22_000_000_000));
    }

    #[test]
    fn another_jvm_whose_begin_is_missing_covers_what_it_has() {
        let mut clock = Clock::default();
        clock.take(uptime(10));
        clock.take(uptime(30));
        clock.restart();
        assert_eq!(clock.take(uptime(500)), Some(20_000_000_000));
        assert_eq!(clock.take(uptime(501)), Some(21_000_000_000));
        assert_eq!(
            (clock.restarts, clock.duration()),
            (1, Some(21_000_000_000))
        );
    }

    #[test]
    fn threads_that_write_at_the_same_time_are_no_restart() {
        let mut clock = Clock::default();
        clock.take(uptime(30));
        let before = At {
            uptime: Some(29_999_000_000),
            wall: None,
        };
        assert_eq!(clock.take(before), Some(0));
        assert_eq!(clock.restarts, 0);
    }
}

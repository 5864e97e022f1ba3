//! The instants of an earlier load, again.

use super::{LONGEST_NS, Schedule, ScheduleError};

/// Recorded instants, the earliest of which becomes 0; faster or slower by a factor.
///
/// They are held in memory, 8 bytes each, since a generator that read a file while the clock runs
/// would wait for the disk: ten million requests take 80 MB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    instants: Box<[u64]>,
    duration_ns: u64,
}

impl Replay {
    /// Recorded instants in nanoseconds from any beginning, in any order (a log is written in the
    /// order of ends). `speed` 2 sends them in half the time.
    ///
    /// # Errors
    /// When there is none, the speed is not above 0, or it would take too long.
    pub fn new(mut recorded: Vec<u64>, speed: f64) -> Result<Self, ScheduleError> {
        if !(speed.is_finite() && speed > 0.0) {
            return Err(ScheduleError::Speed(speed));
        }
        if !recorded.is_sorted() {
            recorded.sort_unstable();
        }
        let (Some(&first), Some(&last)) = (recorded.first(), recorded.last()) else {
            return Err(ScheduleError::NoRequests);
        };
        let length = (last - first) as f64 / speed;
        if length >= LONGEST_NS as f64 {
            return Err(ScheduleError::TooLong(length / 1e9));
        }
        for instant in &mut recorded {
            *instant = sped_up(*instant - first, speed);
        }
        Ok(Self {
            duration_ns: sped_up(last - first, speed) + 1,
            instants: recorded.into(),
        })
    }
}

fn sped_up(instant: u64, speed: f64) -> u64 {
    if speed == 1.0 {
        instant
    } else {
        (instant as f64 / speed).round() as u64
    }
}

impl Schedule for Replay {
    fn intended(&self, n: u64) -> Option<u64> {
        self.instants.get(usize::try_from(n).ok()?).copied()
    }

    /// One nanosecond after the last instant.
    fn duration(&self) -> u64 {
        self.duration_ns
    }
}

#[cfg(test)]
mod tests {
    use super::super::properties;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn instants_count_from_the_earliest_and_are_put_in_order() {
        let replay = Replay::new(vec![1_500, 1_000, 3_000], 1.0).unwrap();
        assert_eq!(properties::all(&replay), [0, 500, 2_000]);
        assert_eq!(replay.duration(), 2_001);
    }

    #[test]
    fn twice_as_fast_takes_half_the_time() {
        let replay = Replay::new(vec![10, 30, 50], 2.0).unwrap();
        assert_eq!(properties::all(&replay), [0, 10, 20]);
        let slow = Replay::new(vec![10, 30, 50], 0.5).unwrap();
        assert_eq!(properties::all(&slow), [0, 40, 80]);
    }

    #[test]
    fn what_cannot_be_replayed_is_refused() {
        assert_eq!(Replay::new(vec![], 1.0), Err(ScheduleError::NoRequests));
        assert_eq!(Replay::new(vec![1], 0.0), Err(ScheduleError::Speed(0.0)));
        assert!(Replay::new(vec![1], f64::NAN).is_err());
        assert!(matches!(
            Replay::new(vec![0, 1_000_000], 1e-12),
            Err(ScheduleError::TooLong(_))
        ));
    }

    proptest! {
        #[test]
        fn it_keeps_the_contract(
            recorded in prop::collection::vec(0u64..1_000_000_000_000, 1..300),
            speed in 0.01f64..100.0, seed in any::<u64>(),
        ) {
            let count = recorded.len() as u64;
            let replay = Replay::new(recorded, speed).unwrap();
            properties::keeps_the_contract(&replay, seed)?;
            prop_assert_eq!(properties::count(&replay), count);
        }
    }
}

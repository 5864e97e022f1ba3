//! Bursts with rests between them.

use super::{Schedule, ScheduleError, duration_ns, length_ns};

/// A number of requests, evenly spread over a time or all at once, then a rest; again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Burst {
    requests: u64,
    over_ns: u64,
    /// From the beginning of a burst to that of the next.
    cycle_ns: u64,
    duration_ns: u64,
}

impl Burst {
    /// `requests` in each burst, spread over `over_s` seconds (0: all at once), then `rest_s`
    /// seconds without any, until `duration_s` seconds have passed. A burst that does not end in
    /// time is cut.
    ///
    /// # Errors
    /// When a burst has no request, `duration_s` is 0, a time is negative or not finite, the rate
    /// within a burst is too high, or bursts would follow one another without any time between
    /// them.
    pub fn new(
        requests: u64,
        over_s: f64,
        rest_s: f64,
        duration_s: f64,
    ) -> Result<Self, ScheduleError> {
        if requests == 0 {
            return Err(ScheduleError::NoRequests);
        }
        let duration = length_ns(duration_s)?;
        let over_ns = duration_ns(over_s)?;
        let cycle_ns = over_ns + duration_ns(rest_s)?;
        if cycle_ns == 0 {
            return Err(ScheduleError::EndlessBurst);
        }
        if over_ns > 0 {
            super::rate(requests as f64 / over_s)?;
        }
        Ok(Self {
            requests,
            over_ns,
            cycle_ns,
            duration_ns: duration,
        })
    }
}

impl Schedule for Burst {
    /// Computed in 128 bits, because late requests of a long schedule overflow 64. The only
    /// rounding is to a whole nanosecond.
    fn intended(&self, n: u64) -> Option<u64> {
        let (burst, place) = (n / self.requests, n % self.requests);
        let start = u128::from(burst) * u128::from(self.cycle_ns);
        let offset = u128::from(place) * u128::from(self.over_ns) / u128::from(self.requests);
        let instant = u64::try_from(start + offset).ok()?;
        (instant < self.duration_ns).then_some(instant)
    }

    fn duration(&self) -> u64 {
        self.duration_ns
    }
}

#[cfg(test)]
mod tests {
    use super::super::properties;
    use super::*;
    use proptest::prelude::*;

    fn ms(schedule: &Burst) -> Vec<u64> {
        properties::all(schedule)
            .iter()
            .map(|ns| ns / 1_000_000)
            .collect()
    }

    #[test]
    fn three_at_once_each_ten_seconds() {
        let burst = Burst::new(3, 0.0, 10.0, 25.0).unwrap();
        let expected = [0, 0, 0, 10_000, 10_000, 10_000, 20_000, 20_000, 20_000];
        assert_eq!(ms(&burst), expected);
    }

    #[test]
    fn four_over_a_second_then_a_rest_and_the_last_burst_is_cut() {
        let burst = Burst::new(4, 1.0, 1.0, 2.6).unwrap();
        assert_eq!(ms(&burst), [0, 250, 500, 750, 2_000, 2_250, 2_500]);
    }

    #[test]
    fn without_a_rest_it_is_a_constant_rate() {
        let burst = Burst::new(4, 1.0, 0.0, 2.0).unwrap();
        assert_eq!(ms(&burst), [0, 250, 500, 750, 1_000, 1_250, 1_500, 1_750]);
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        assert_eq!(Burst::new(0, 1.0, 1.0, 9.0), Err(ScheduleError::NoRequests));
        assert_eq!(
            Burst::new(1, 0.0, 0.0, 9.0),
            Err(ScheduleError::EndlessBurst)
        );
        assert_eq!(
            Burst::new(1, -1.0, 1.0, 9.0),
            Err(ScheduleError::Duration(-1.0))
        );
        assert_eq!(
            Burst::new(1, 1.0, 1.0, 0.0),
            Err(ScheduleError::NoTime(0.0))
        );
        assert!(matches!(
            Burst::new(u64::MAX, 1.0, 1.0, 9.0),
            Err(ScheduleError::RateTooHigh(_))
        ));
    }

    #[test]
    fn a_request_beyond_all_counting_is_none() {
        let burst = Burst::new(1, 0.0, 9e6, 9e6).unwrap();
        assert_eq!(burst.intended(u64::MAX), None);
    }

    proptest! {
        #[test]
        fn it_keeps_the_contract(
            requests in 1u64..200, over in prop_oneof![Just(0.0), 0.001f64..3.0],
            rest in 0.1f64..3.0, duration in 0.01f64..30.0, seed in any::<u64>(),
        ) {
            let burst = Burst::new(requests, over, rest, duration).unwrap();
            properties::keeps_the_contract(&burst, seed)?;
            let whole = (duration / (over + rest)).floor();
            let left = duration - whole * (over + rest);
            let cut = if over > 0.0 { (left / over).min(1.0) } else { 1.0 };
            properties::counts(&burst, (whole + cut) * requests as f64)?;
        }
    }
}

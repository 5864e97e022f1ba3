//! A constant rate: request `n` at `n / rate`.

use super::{Schedule, ScheduleError, duration_ns};

/// `rate` requests a second, evenly spaced, the first at once, for a duration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConstantRate {
    interval_ns: f64,
    duration_ns: u64,
}

impl ConstantRate {
    /// `rate` in requests a second, `duration_s` in seconds.
    ///
    /// # Errors
    /// When the rate is not above 0 or too high, or the duration is negative, not a number, or too
    /// long.
    pub fn new(rate: f64, duration_s: f64) -> Result<Self, ScheduleError> {
        Ok(Self {
            interval_ns: 1e9 / super::rate(rate)?,
            duration_ns: duration_ns(duration_s)?,
        })
    }
}

impl Schedule for ConstantRate {
    /// One multiplication from the beginning, not a sum of intervals: no error adds up. The
    /// product is exact to 1 ns up to 2^53 ns, which is 104 days.
    fn intended(&self, n: u64) -> Option<u64> {
        let instant = (n as f64 * self.interval_ns) as u64;
        (instant < self.duration_ns).then_some(instant)
    }

    fn duration(&self) -> u64 {
        self.duration_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn requests(schedule: &ConstantRate) -> u64 {
        (0..)
            .take_while(|&n| schedule.intended(n).is_some())
            .count() as u64
    }

    #[test]
    fn ten_a_second_for_a_second_are_ten_requests() {
        let schedule = ConstantRate::new(10.0, 1.0).unwrap();
        assert_eq!(schedule.intended(0), Some(0));
        assert_eq!(schedule.intended(1), Some(100_000_000));
        assert_eq!(schedule.intended(9), Some(900_000_000));
        assert_eq!(schedule.intended(10), None);
    }

    #[test]
    fn less_than_one_a_second_works() {
        let schedule = ConstantRate::new(0.5, 5.0).unwrap();
        assert_eq!(schedule.intended(2), Some(4_000_000_000));
        assert_eq!(requests(&schedule), 3);
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        for rate in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
            assert!(ConstantRate::new(rate, 1.0).is_err(), "{rate}");
        }
        for duration in [-1.0, f64::NAN, f64::INFINITY, 1e9] {
            assert!(ConstantRate::new(1.0, duration).is_err(), "{duration}");
        }
    }

    proptest! {
        #[test]
        fn never_goes_back_and_never_leaves_the_duration(
            rate in 0.01f64..1e6, duration in 0.0f64..100.0, n in 0u64..10_000_000,
        ) {
            let schedule = ConstantRate::new(rate, duration).unwrap();
            match (schedule.intended(n), schedule.intended(n + 1)) {
                (Some(a), Some(b)) => prop_assert!(a <= b && b < schedule.duration()),
                (Some(a), None) => prop_assert!(a < schedule.duration()),
                (None, next) => prop_assert_eq!(next, None),
            }
        }

        #[test]
        fn request_n_is_at_n_divided_by_the_rate(rate in 1.0f64..1e6, n in 0u64..10_000_000) {
            let schedule = ConstantRate::new(rate, 9e6).unwrap();
            let exact = n as f64 / rate * 1e9;
            if let Some(instant) = schedule.intended(n) {
                prop_assert!((instant as f64 - exact).abs() <= 2.0 + exact * 1e-15);
            }
        }

        #[test]
        fn the_number_of_requests_is_rate_times_duration(rate in 1u32..5_000, duration in 1u32..4) {
            let schedule = ConstantRate::new(rate.into(), duration.into()).unwrap();
            let expected = u64::from(rate * duration);
            // 1/3 s in nanoseconds is rounded, so the request at the very end may fall inside.
            prop_assert!(requests(&schedule).abs_diff(expected) <= 1);
        }
    }
}

//! A rate that grows or falls evenly.

use super::{Schedule, ScheduleError, instant_ns, length_ns, rate_or_none};

/// From one rate to another over a duration, in a straight line.
///
/// With `r(t) = from + (to - from) t / duration`, request `n` is due when the integral of `r`
/// reaches `n`: the root of a quadratic. Of its two textbook forms only one is free of cancellation
/// (Press et al., Numerical Recipes, section 5.6); a ramp that falls is counted back from its
/// end, where the other form would lose half of its digits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ramp {
    from: f64,
    to: f64,
    seconds: f64,
    /// The integral over the whole ramp.
    total: f64,
    duration_ns: u64,
}

impl Ramp {
    /// Rates in requests a second; one of them may be 0. `duration_s` in seconds.
    ///
    /// # Errors
    /// When a rate or the duration cannot be scheduled, or both rates are 0.
    pub fn new(from: f64, to: f64, duration_s: f64) -> Result<Self, ScheduleError> {
        let duration_ns = length_ns(duration_s)?;
        let (from, to) = (rate_or_none(from)?, rate_or_none(to)?);
        if from == 0.0 && to == 0.0 {
            return Err(ScheduleError::NoRequests);
        }
        Ok(Self {
            from,
            to,
            seconds: duration_s,
            total: (from + to) / 2.0 * duration_s,
            duration_ns,
        })
    }
}

/// The time that a ramp which begins at `rate` and grows by `slope` a second, both 0 or more, takes
/// for `count` requests.
fn time_for(count: f64, rate: f64, slope: f64) -> f64 {
    if count <= 0.0 {
        return 0.0;
    }
    2.0 * count / (rate + (rate * rate + 2.0 * slope * count).sqrt())
}

impl Schedule for Ramp {
    fn intended(&self, n: u64) -> Option<u64> {
        let n = n as f64;
        if n >= self.total {
            return None;
        }
        let slope = (self.to - self.from).abs() / self.seconds;
        let seconds = if self.to >= self.from {
            time_for(n, self.from, slope)
        } else {
            self.seconds - time_for(self.total - n, self.to, slope)
        };
        Some(instant_ns(seconds, self.duration_ns))
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

    #[test]
    fn from_nothing_to_two_a_second_in_a_hundred_seconds() {
        let ramp = Ramp::new(0.0, 2.0, 100.0).unwrap();
        // The integral is t^2 / 100: request 25 is due at 50 s, request 81 at 90 s.
        assert_eq!(ramp.intended(0), Some(0));
        assert_eq!(ramp.intended(25), Some(50_000_000_000));
        assert_eq!(ramp.intended(81), Some(90_000_000_000));
        assert_eq!(properties::count(&ramp), 100);
    }

    #[test]
    fn a_fall_is_the_mirror_of_a_rise() {
        let rise = Ramp::new(0.0, 2.0, 100.0).unwrap();
        let fall = Ramp::new(2.0, 0.0, 100.0).unwrap();
        for n in 1..100 {
            let mirrored = 100_000_000_000 - rise.intended(100 - n).unwrap();
            assert!(fall.intended(n).unwrap().abs_diff(mirrored) <= 1, "{n}");
        }
        assert_eq!(fall.intended(100), None);
    }

    #[test]
    fn equal_rates_are_a_constant_rate() {
        let ramp = Ramp::new(8.0, 8.0, 4.0).unwrap();
        let instants: Vec<u64> = properties::all(&ramp);
        let even: Vec<u64> = (0..32).map(|n| n * 125_000_000).collect();
        assert_eq!(instants, even);
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        assert_eq!(Ramp::new(0.0, 0.0, 1.0), Err(ScheduleError::NoRequests));
        assert!(matches!(
            Ramp::new(f64::NAN, 1.0, 1.0),
            Err(ScheduleError::Rate(_))
        ));
        assert_eq!(Ramp::new(1.0, -1.0, 1.0), Err(ScheduleError::Rate(-1.0)));
        assert_eq!(
            Ramp::new(1.0, 1e10, 1.0),
            Err(ScheduleError::RateTooHigh(1e10))
        );
        assert_eq!(Ramp::new(1.0, 2.0, 0.0), Err(ScheduleError::NoTime(0.0)));
        assert_eq!(Ramp::new(1.0, 2.0, 1e12), Err(ScheduleError::TooLong(1e12)));
    }

    proptest! {
        #[test]
        fn request_n_is_due_when_the_integral_reaches_n(
            from in 0.0f64..1e5, to in 0.0f64..1e5, duration in 0.1f64..1e5, share in 0.0f64..1.0,
        ) {
            let ramp = Ramp::new(from, to, duration).unwrap();
            let n = (share * ramp.total) as u64;
            if let Some(instant) = ramp.intended(n) {
                let t = instant as f64 / 1e9;
                let integral = from * t + (to - from) * t * t / (2.0 * duration);
                let rate = from + (to - from) * t / duration;
                // One nanosecond of requests, and the digits that the reference itself loses.
                let slack = rate * 1.5e-9 + 1e-12 * (from + to) * duration + 1e-9;
                prop_assert!((integral - n as f64).abs() <= slack, "{integral} {n}");
            }
        }

        #[test]
        fn it_keeps_the_contract(
            from in 0.0f64..500.0, to in 0.1f64..500.0, duration in 0.01f64..20.0, seed in any::<u64>(),
        ) {
            let ramp = Ramp::new(from, to, duration).unwrap();
            properties::keeps_the_contract(&ramp, seed)?;
            properties::counts(&ramp, (from + to) / 2.0 * duration)?;
        }
    }
}

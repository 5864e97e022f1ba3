//! Constant rates one after another.

use super::{Schedule, ScheduleError, instant_ns, length_ns, rate_or_none};

/// A list of rates, each for a time of its own.
///
/// The count goes on over the borders: a request that is three quarters due when a step ends is due
/// after the last quarter at the next step's rate. So the total is that of the integral, and does
/// not lose a fraction at each border.
#[derive(Debug, Clone, PartialEq)]
pub struct Steps {
    steps: Box<[Step]>,
    duration_ns: u64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Step {
    rate: f64,
    start_s: f64,
    /// Requests before this step, and before the next.
    first: f64,
    end: f64,
}

impl Steps {
    /// Pairs of a rate in requests a second and a duration in seconds. A rate of 0 is a rest.
    ///
    /// # Errors
    /// When a rate or a duration cannot be scheduled, or no step sends anything.
    pub fn new(rates_and_durations: &[(f64, f64)]) -> Result<Self, ScheduleError> {
        let mut steps = Vec::with_capacity(rates_and_durations.len());
        let (mut start_s, mut first) = (0.0, 0.0);
        for &(rate, duration_s) in rates_and_durations {
            length_ns(duration_s)?;
            let end = first + rate_or_none(rate)? * duration_s;
            steps.push(Step {
                rate,
                start_s,
                first,
                end,
            });
            start_s += duration_s;
            first = end;
        }
        if first == 0.0 {
            return Err(ScheduleError::NoRequests);
        }
        Ok(Self {
            steps: steps.into(),
            duration_ns: length_ns(start_s)?,
        })
    }
}

impl Schedule for Steps {
    fn intended(&self, n: u64) -> Option<u64> {
        let n = n as f64;
        // Steps that send nothing end where they begin, and are passed over.
        let index = self.steps.partition_point(|step| step.end <= n);
        let step = self.steps.get(index)?;
        let seconds = step.start_s + (n - step.first) / step.rate;
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
    fn two_a_second_then_nothing_then_four_a_second() {
        let steps = Steps::new(&[(2.0, 1.0), (0.0, 3.0), (4.0, 1.0)]).unwrap();
        let ms: Vec<u64> = properties::all(&steps)
            .iter()
            .map(|ns| ns / 1_000_000)
            .collect();
        assert_eq!(ms, [0, 500, 4_000, 4_250, 4_500, 4_750]);
        assert_eq!(steps.duration(), 5_000_000_000);
    }

    #[test]
    fn a_fraction_of_a_request_is_carried_over_the_border() {
        let steps = Steps::new(&[(1.0, 1.75), (0.5, 10.0)]).unwrap();
        // Three quarters of request 2 are due at the border; the last quarter takes half a second.
        assert_eq!(steps.intended(1), Some(1_000_000_000));
        assert_eq!(steps.intended(2), Some(2_250_000_000));
        assert_eq!(properties::count(&steps), 7);
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        assert_eq!(Steps::new(&[]), Err(ScheduleError::NoRequests));
        assert_eq!(Steps::new(&[(0.0, 5.0)]), Err(ScheduleError::NoRequests));
        assert_eq!(Steps::new(&[(-1.0, 5.0)]), Err(ScheduleError::Rate(-1.0)));
        assert_eq!(
            Steps::new(&[(1.0, 5.0), (1.0, 0.0)]),
            Err(ScheduleError::NoTime(0.0))
        );
        assert_eq!(
            Steps::new(&[(1.0, 8e6), (1.0, 8e6)]),
            Err(ScheduleError::TooLong(16e6))
        );
    }

    proptest! {
        #[test]
        fn it_keeps_the_contract(
            mut steps in prop::collection::vec(
                (prop_oneof![Just(0.0), 0.1f64..800.0], 0.01f64..5.0), 1..6),
            seed in any::<u64>(),
        ) {
            steps.push((1.0, 2.0));
            let schedule = Steps::new(&steps).unwrap();
            properties::keeps_the_contract(&schedule, seed)?;
            properties::counts(&schedule, steps.iter().map(|(rate, time)| rate * time).sum())?;
        }

        #[test]
        fn one_step_is_a_constant_rate(rate in 0.1f64..1e5, duration in 0.1f64..100.0, n in 0u64..100_000) {
            let steps = Steps::new(&[(rate, duration)]).unwrap();
            let constant = super::super::ConstantRate::new(rate, duration).unwrap();
            if let (Some(a), Some(b)) = (steps.intended(n), constant.intended(n)) {
                prop_assert!(a.abs_diff(b) <= 1);
            }
        }
    }
}

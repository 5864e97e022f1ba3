//! A rate that swings about its mean, as a day does.

use super::{Schedule, ScheduleError, instant_ns, length_ns, rate};
use std::f64::consts::PI;

/// `r(t) = mean + amplitude sin(2 pi t / period)`; begins at the mean, rising.
///
/// Request `n` is due when the integral
/// `N(t) = mean t + amplitude period / pi sin^2(pi t / period)`
/// reaches `n` (written with the square of the sine, because `1 - cos` cancels). It is Kepler's
/// equation, which has no closed inverse: Newton's method with a bracket finds it. The bracket is
/// known beforehand, and a step that would leave it becomes a bisection (Press et al., Numerical
/// Recipes, section 9.4, `rtsafe`), which matters where the rate touches 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sine {
    mean: f64,
    amplitude: f64,
    period: f64,
    /// The integral over the whole schedule.
    total: f64,
    duration_ns: u64,
}

/// A quarter of a nanosecond: the root is known when the bracket, or the step, is below it.
const CLOSE_ENOUGH_S: f64 = 0.25e-9;

/// Bisection alone needs fewer from any bracket down to any f64.
const MOST_ITERATIONS: u32 = 200;

impl Sine {
    /// Rates in requests a second, times in seconds.
    ///
    /// # Errors
    /// When the mean or a time cannot be scheduled, or the amplitude is not between 0 and the mean.
    pub fn new(
        mean: f64,
        amplitude: f64,
        period_s: f64,
        duration_s: f64,
    ) -> Result<Self, ScheduleError> {
        let mean = rate(mean)?;
        if !(0.0..=mean).contains(&amplitude) {
            return Err(ScheduleError::Amplitude { amplitude, mean });
        }
        rate(mean + amplitude)?;
        length_ns(period_s)?;
        let duration_ns = length_ns(duration_s)?;
        let mut sine = Self {
            mean,
            amplitude,
            period: period_s,
            total: 0.0,
            duration_ns,
        };
        sine.total = sine.integral(duration_s);
        Ok(sine)
    }

    /// Requests due before `t` seconds.
    fn integral(&self, t: f64) -> f64 {
        let periods = (t / self.period).floor();
        let t = t - periods * self.period;
        periods * self.mean * self.period + self.within_period(t)
    }

    fn within_period(&self, t: f64) -> f64 {
        let sine = (PI * t / self.period).sin();
        self.mean * t + self.swing() * sine * sine
    }

    /// How many more requests the first half of a period has than at the mean rate.
    fn swing(&self) -> f64 {
        self.amplitude * self.period / PI
    }

    fn rate(&self, t: f64) -> f64 {
        self.mean + self.amplitude * (2.0 * PI * t / self.period).sin()
    }

    /// The time within a period at which `count` of its requests are due.
    fn time_for(&self, count: f64) -> f64 {
        // `count` is at least the number at the mean rate, and at most the whole swing above it.
        let mut early = ((count - self.swing()) / self.mean).max(0.0);
        let mut late = (count / self.mean).min(self.period);
        let mut t = (early + late) / 2.0;
        for _ in 0..MOST_ITERATIONS {
            let excess = self.within_period(t) - count;
            if excess > 0.0 {
                late = t;
            } else {
                early = t;
            }
            let newton = t - excess / self.rate(t);
            // Also when the rate is 0 and the step is no number.
            let next = if newton > early && newton < late {
                newton
            } else {
                (early + late) / 2.0
            };
            let step = (next - t).abs();
            t = next;
            if step < CLOSE_ENOUGH_S || late - early < CLOSE_ENOUGH_S {
                break;
            }
        }
        t
    }
}

impl Schedule for Sine {
    fn intended(&self, n: u64) -> Option<u64> {
        let n = n as f64;
        if n >= self.total {
            return None;
        }
        let a_period = self.mean * self.period;
        let periods = (n / a_period).floor();
        let rest = (n - periods * a_period).clamp(0.0, a_period);
        let seconds = periods * self.period + self.time_for(rest);
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
    fn after_half_a_period_the_whole_swing_is_added_and_after_a_period_none() {
        // A swing of 100 pi / 10 * 10 / pi = 100 requests on 1,000 a period.
        let sine = Sine::new(100.0, 10.0 * PI, 10.0, 20.0).unwrap();
        assert_eq!(sine.intended(0), Some(0));
        assert!(sine.intended(600).unwrap().abs_diff(5_000_000_000) <= 1);
        assert!(sine.intended(1_000).unwrap().abs_diff(10_000_000_000) <= 1);
        assert!(sine.intended(1_600).unwrap().abs_diff(15_000_000_000) <= 1);
        assert_eq!(properties::count(&sine), 2_000);
    }

    #[test]
    fn without_amplitude_it_is_a_constant_rate() {
        let sine = Sine::new(8.0, 0.0, 3.0, 4.0).unwrap();
        let even: Vec<u64> = (0..32).map(|n| n * 125_000_000).collect();
        for (instant, even) in properties::all(&sine).iter().zip(&even) {
            assert!(instant.abs_diff(*even) <= 1);
        }
        assert_eq!(properties::count(&sine), 32);
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        assert_eq!(
            Sine::new(10.0, 10.1, 1.0, 1.0),
            Err(ScheduleError::Amplitude {
                amplitude: 10.1,
                mean: 10.0
            })
        );
        assert!(Sine::new(10.0, -1.0, 1.0, 1.0).is_err());
        assert!(Sine::new(10.0, f64::NAN, 1.0, 1.0).is_err());
        assert_eq!(Sine::new(0.0, 0.0, 1.0, 1.0), Err(ScheduleError::Rate(0.0)));
        assert_eq!(
            Sine::new(1.0, 1.0, 0.0, 1.0),
            Err(ScheduleError::NoTime(0.0))
        );
        assert_eq!(
            Sine::new(6e6, 6e6, 1.0, 1.0),
            Err(ScheduleError::RateTooHigh(12e6))
        );
    }

    /// The root of the integral by bisection alone, in its textbook form.
    fn bisected(mean: f64, amplitude: f64, period: f64, duration: f64, n: f64) -> f64 {
        let integral = |t: f64| {
            mean * t + amplitude * period / (2.0 * PI) * (1.0 - (2.0 * PI * t / period).cos())
        };
        let (mut early, mut late) = (0.0, duration);
        for _ in 0..200 {
            let middle = (early + late) / 2.0;
            if integral(middle) < n {
                early = middle;
            } else {
                late = middle;
            }
        }
        early
    }

    proptest! {
        #[test]
        fn it_agrees_with_bisection_to_the_nanosecond(
            mean in 1.0f64..20_000.0, swing in 0.0f64..0.9, period in 0.5f64..100.0, share in 0.0f64..1.0,
        ) {
            let duration = 3.0 * period;
            let sine = Sine::new(mean, swing * mean, period, duration).unwrap();
            let n = (share * sine.total) as u64;
            if let Some(instant) = sine.intended(n) {
                let truth = bisected(mean, swing * mean, period, duration, n as f64) * 1e9;
                // Truncation to a nanosecond, and what the reference cannot know either.
                prop_assert!((instant as f64 - truth).abs() <= 1.0 + 4e-15 * truth, "{instant} {truth}");
            }
        }

        #[test]
        fn also_where_the_rate_touches_nothing_the_integral_is_met(
            mean in 0.5f64..20_000.0, period in 0.5f64..1000.0, share in 0.0f64..1.0,
        ) {
            let sine = Sine::new(mean, mean, period, 2.0 * period).unwrap();
            let n = (share * sine.total) as u64;
            if let Some(instant) = sine.intended(n) {
                let t = instant as f64 / 1e9;
                let slack = sine.rate(t) * 2e-9 + 1e-13 * n as f64 + 1e-9;
                prop_assert!((sine.integral(t) - n as f64).abs() <= slack);
            }
        }

        #[test]
        fn it_keeps_the_contract(
            mean in 0.5f64..500.0, swing in 0.0f64..=1.0, period in 0.05f64..20.0,
            duration in 0.01f64..20.0, seed in any::<u64>(),
        ) {
            let sine = Sine::new(mean, swing * mean, period, duration).unwrap();
            properties::keeps_the_contract(&sine, seed)?;
            let phase = 2.0 * PI * duration / period;
            let integral = mean * duration + swing * mean * period / (2.0 * PI) * (1.0 - phase.cos());
            properties::counts(&sine, integral)?;
        }
    }
}

//! What the next launch will take, from those that were measured.
//!
//! Start-up times are taken for log-normal: they are positive, and what makes one longer (a slower
//! clock, a busier disk) makes all of its parts longer. With few launches the spread itself is
//! uncertain, so that the next time follows Student's t with n - 1 degrees of freedom about the
//! mean logarithm, with the spread widened by sqrt(1 + 1/n): the prediction interval of a normal
//! sample (Hahn and Meeker, *Statistical Intervals*, section 4.7). Over many repetitions of
//! measuring and launching once more, it is right as often as it says.
//!
//! Beside it stands what the launches tell without any distribution: with k of n beyond a time, the
//! upper limit of Clopper and Pearson (1934) for the share beyond it; for k = 0 that is nearly 3 /
//! n, the rule of three.

use serde::{Deserialize, Serialize};
use statrs::distribution::{Beta, ContinuousCDF, StudentsT};

/// Machines do not repeat times better than this. A smaller measured spread is chance, or the
/// resolution of the clock.
const LEAST_SPREAD: f64 = 0.01;
/// Confidence of the bound that assumes no distribution.
const CONFIDENCE: f64 = 0.95;

/// The longest start-up time that is accepted: a day.
const LONGEST: f64 = 86_400.0;

/// Why times cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum TimesError {
    /// One launch has no spread.
    #[error(
        "{0} launches are not enough: measure at least 3, better 10 (probes rest on how much start-up times differ)"
    )]
    TooFew(usize),
    /// Zero, negative, not a number, or longer than a day.
    #[error("a launch that took {0} s: times are positive numbers of seconds, of a day at most")]
    NotATime(f64),
}

/// The times of at least three launches, in seconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Times {
    sorted: Vec<f64>,
    mean: f64,
    spread: f64,
}

/// Probability that a launch takes longer than some time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Exceedance {
    /// Probability if the times are log-normally distributed, 0 to 1.
    pub log_normal: f64,
    /// Largest probability that is compatible with the launches, whatever the distribution (95 %
    /// confidence), 0 to 1.
    pub at_most: f64,
}

impl Times {
    /// # Errors
    /// With fewer than three, or one that is no time.
    pub fn of(seconds: &[f64]) -> Result<Self, TimesError> {
        if let Some(wrong) = seconds
            .iter()
            .find(|time| !(**time > 0.0 && **time <= LONGEST))
        {
            return Err(TimesError::NotATime(*wrong));
        }
        if seconds.len() < 3 {
            return Err(TimesError::TooFew(seconds.len()));
        }
        let mut sorted = seconds.to_vec();
        sorted.sort_by(f64::total_cmp);
        let logs: Vec<f64> = sorted.iter().map(|time| time.ln()).collect();
        let n = logs.len() as f64;
        let mean = logs.iter().sum::<f64>() / n;
        let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
        let spread = (squares / (n - 1.0)).sqrt().max(LEAST_SPREAD);
        Ok(Self {
            sorted,
            mean,
            spread,
        })
    }

    /// How many launches.
    #[must_use]
    pub fn launches(&self) -> usize {
        self.sorted.len()
    }

    /// The slowest launch.
    #[must_use]
    pub fn slowest(&self) -> f64 {
        self.sorted.last().copied().unwrap_or(f64::NAN)
    }

    /// The median launch.
    #[must_use]
    pub fn median(&self) -> f64 {
        let middle = self.sorted.len() / 2;
        match (self.sorted.len() % 2, self.sorted.as_slice()) {
            (1, times) => times[middle],
            (_, times) => f64::midpoint(times[middle - 1], times[middle]),
        }
    }

    /// The probability that the next launch takes longer than `seconds`.
    #[must_use]
    pub fn exceeds(&self, seconds: f64) -> Exceedance {
        Exceedance {
            log_normal: self.predicted(seconds),
            at_most: self.at_most(seconds),
        }
    }

    fn predicted(&self, seconds: f64) -> f64 {
        if seconds <= 0.0 {
            return 1.0;
        }
        self.students_t()
            .map_or(1.0, |t| t.sf((seconds.ln() - self.mean) / self.scale()))
    }

    fn at_most(&self, seconds: f64) -> f64 {
        let beyond = self.sorted.len() - self.sorted.partition_point(|time| *time <= seconds);
        clopper_pearson(beyond, self.sorted.len())
    }

    /// The time that the next launch exceeds with this probability.
    #[must_use]
    pub fn exceeded_by(&self, probability: f64) -> f64 {
        let t = self.students_t().map_or(f64::INFINITY, |t| {
            -t.inverse_cdf(probability.clamp(0.0, 1.0))
        });
        (self.mean + t * self.scale()).exp()
    }

    /// The probability that the slowest of this many log-normal launches is this far out (Grubbs
    /// 1969; Bonferroni's bound).
    #[must_use]
    pub fn slowest_by_chance(&self) -> f64 {
        let n = self.sorted.len() as f64;
        let far = (self.slowest().ln() - self.mean) / self.spread;
        let room = (n - 1.0).powi(2) - n * far * far;
        if room <= 0.0 {
            // The slowest launch is as far out as it can be. With three launches that is possible
            // by chance.
            return if self.sorted.len() > 3 { 0.0 } else { 1.0 };
        }
        let t = (n * (n - 2.0) * far * far / room).sqrt();
        StudentsT::new(0.0, 1.0, n - 2.0)
            .map_or(1.0, |distribution| (n * distribution.sf(t)).min(1.0))
    }

    fn students_t(&self) -> Option<StudentsT> {
        StudentsT::new(0.0, 1.0, self.sorted.len() as f64 - 1.0).ok()
    }

    fn scale(&self) -> f64 {
        self.spread * (1.0 + 1.0 / self.sorted.len() as f64).sqrt()
    }
}

/// The upper confidence limit of a share, if `k` of `n` were seen.
fn clopper_pearson(k: usize, n: usize) -> f64 {
    if k >= n {
        return 1.0;
    }
    Beta::new(k as f64 + 1.0, (n - k) as f64).map_or(1.0, |beta| beta.inverse_cdf(CONFIDENCE))
}

#[cfg(test)]
#[path = "times_tests.rs"]
mod tests;

//! How long users of a closed loop think.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tacho_clock::{from_seconds, to_seconds};
use tacho_workload::Think;

/// One think time after another, in nanoseconds.
#[derive(Debug)]
pub struct ThinkTimes {
    think: Think,
    random: ChaCha8Rng,
}

impl ThinkTimes {
    /// The same seed and phase give the same times; each phase has its own.
    pub fn new(think: Think, seed: u64, phase: u32) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(phase.into());
        Self { think, random }
    }

    pub fn next(&mut self) -> u64 {
        let ns = |duration: std::time::Duration| duration.as_nanos() as u64;
        match self.think {
            Think::Constant(time) => ns(time),
            Think::Uniform(least, most) => self
                .random
                .random_range(ns(least)..=ns(most).max(ns(least))),
            Think::Exponential(mean) => {
                // In (0, 1], so that its logarithm is finite.
                let unit = 1.0 - self.random.random::<f64>();
                from_seconds(-unit.ln() * to_seconds(ns(mean)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const MEAN: Duration = Duration::from_millis(100);

    fn times(think: Think) -> Vec<u64> {
        let mut times = ThinkTimes::new(think, 1, 0);
        (0..20_000).map(|_| times.next()).collect()
    }

    fn mean_ms(times: &[u64]) -> f64 {
        times.iter().sum::<u64>() as f64 / times.len() as f64 / 1e6
    }

    #[test]
    fn times_have_the_mean_and_the_bounds_that_were_asked_for() {
        assert!(
            times(Think::Constant(MEAN))
                .iter()
                .all(|t| *t == 100_000_000)
        );
        let uniform = times(Think::Uniform(MEAN / 2, MEAN));
        assert!(
            uniform
                .iter()
                .all(|t| (50_000_000..=100_000_000).contains(t))
        );
        assert!((mean_ms(&uniform) - 75.0).abs() < 1.0);
        let exponential = times(Think::Exponential(MEAN));
        assert!((mean_ms(&exponential) - 100.0).abs() < 3.0);
        // The median of an exponential distribution is its mean times ln 2.
        let below = exponential.iter().filter(|t| **t < 69_314_718).count();
        assert!((9_700..10_300).contains(&below), "{below}");
    }

    #[test]
    fn a_seed_gives_the_same_times_again_and_another_seed_or_phase_gives_others() {
        let think = Think::Exponential(MEAN);
        let first = |seed, phase| ThinkTimes::new(think, seed, phase).next();
        assert_eq!(first(7, 2), first(7, 2));
        assert_ne!(first(7, 2), first(8, 2));
        assert_ne!(first(7, 2), first(7, 3));
    }
}

//! A choice by weight.

use super::{Seed, to_unit};

/// Which of several items is the `n`-th of a phase: a pure function of seed, phase and `n`. So it
/// does not depend on the order in which answers come.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WeightedChoice {
    /// Sum of the weights up to and including each, divided by the sum of all.
    cumulative: Box<[f64]>,
    seed: Seed,
}

/// The index of the first weight that is no finite number above 0, or that makes the sum infinite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WrongWeight(pub usize);

impl WeightedChoice {
    /// Among things with these weights, at least one.
    ///
    /// # Errors
    /// With the place of a weight that means nothing.
    pub fn new(weights: &[f64], seed: u64) -> Result<Self, WrongWeight> {
        let total: f64 = weights.iter().sum();
        let means_nothing =
            |weight: &f64| !(weight.is_finite() && *weight > 0.0 && total.is_finite());
        if let Some(place) = weights.iter().position(means_nothing) {
            return Err(WrongWeight(place));
        }
        let mut sum = 0.0;
        let up_to = weights.iter().map(|weight| {
            sum += weight;
            sum / total
        });
        Ok(Self {
            cumulative: up_to.collect(),
            seed: Seed::new(seed),
        })
    }

    /// The place of the `n`-th of a phase.
    #[inline]
    pub fn pick(&self, phase: u32, n: u64) -> u32 {
        let last = self.cumulative.len().saturating_sub(1);
        if last == 0 {
            return 0;
        }
        let point = to_unit(self.seed.point(phase, n));
        self.cumulative.partition_point(|&c| c <= point).min(last) as u32
    }
}

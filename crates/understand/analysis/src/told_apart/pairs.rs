//! Two cells, launch against launch of the same block: a slow minute of the machine hits both, and
//! cancels out in their ratio.
//!
//! The logarithms of the ratios are held against the edge of the band of practical equality by the
//! t test for pairs. With fewer than [`FEW`] pairs the scatter is taken to be [`LEAST_SCATTER`] at
//! the least: launches of one JVM service fall into a few modes (what the compilers did first), and
//! three launches of each may meet the same mode, without any scatter, by chance.

use super::student;
use std::collections::BTreeMap;

/// Pairs below which there is no answer.
pub const FEWEST_PAIRS: usize = 3;
/// Pairs below which the scatter is assumed to be at least [`LEAST_SCATTER`].
const FEW: usize = 5;
/// Standard deviation of the logarithm of a ratio, about 5 %.
const LEAST_SCATTER: f64 = 0.05;
/// More launches than this are not advised.
const MOST_LAUNCHES: usize = 100;
/// The chance to find a difference that is called detectable.
const POWER: f64 = 0.8;

/// Logarithms of the ratios of a run's blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairs {
    count: usize,
    mean: f64,
    scatter: f64,
}

/// Values by block.
pub type ByBlock = BTreeMap<u32, f64>;

impl Pairs {
    /// Of the blocks in which both have a value; values below the floor count as it. `None` of too
    /// few.
    #[must_use]
    pub fn of(cell: &ByBlock, other: &ByBlock, floor: f64) -> Option<Self> {
        let raised = |value: f64| value.max(floor).ln();
        let logs: Vec<f64> = cell
            .iter()
            .filter_map(|(block, value)| Some(raised(*value) - raised(*other.get(block)?)))
            .filter(|log| log.is_finite())
            .collect();
        let count = logs.len();
        if count < FEWEST_PAIRS {
            return None;
        }
        let mean = logs.iter().sum::<f64>() / count as f64;
        let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
        let scatter = (squares / (count - 1) as f64).sqrt();
        let least = if count < FEW { LEAST_SCATTER } else { 0.0 };
        Some(Self {
            count,
            mean,
            scatter: scatter.max(least),
        })
    }

    fn error(&self, count: usize) -> f64 {
        self.scatter / (count as f64).sqrt()
    }

    /// Whether the cell lies above the other.
    #[must_use]
    pub fn is_above(&self) -> bool {
        self.mean > 0.0
    }

    /// The chance of a ratio this far beyond the threshold, to either side, where there is none.
    #[must_use]
    pub fn chance(&self, threshold: f64) -> f64 {
        let excess = self.mean.abs() - threshold.ln_1p();
        if excess <= 0.0 {
            return 1.0;
        }
        // Without any scatter t is infinite, and the chance zero.
        2.0 * student::above(excess / self.error(self.count), self.count - 1)
    }

    /// The smallest difference, as a fraction, that would have been told to be beyond the threshold
    /// in 8 of 10 runs at this level (two-sided).
    #[must_use]
    pub fn smallest_detectable(&self, threshold: f64, level: f64) -> f64 {
        let degrees = self.count - 1;
        let errors =
            student::quantile(level / 2.0, degrees) + student::quantile(1.0 - POWER, degrees);
        (errors * self.error(self.count) + threshold.ln_1p()).exp_m1()
    }

    /// Launches that would answer at this level whether the ratio is beyond the threshold or
    /// within, if it and the scatter stay as they are. `None` when more than 100 would be needed.
    #[must_use]
    pub fn launches_needed(&self, threshold: f64, level: f64) -> Option<u32> {
        let distance = self.mean.abs() - threshold.ln_1p();
        // Within the band the 95 % interval alone decides.
        let level = if distance > 0.0 { level } else { 0.05 };
        (self.count + 1..=MOST_LAUNCHES)
            .find(|n| student::quantile(level / 2.0, n - 1) * self.error(*n) < distance.abs())
            .map(|n| n as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_block(values: &[f64]) -> ByBlock {
        (1..).zip(values.iter().copied()).collect()
    }

    fn pairs(cell: &[f64], other: &[f64]) -> Pairs {
        Pairs::of(&by_block(cell), &by_block(other), 0.001).unwrap()
    }

    #[test]
    fn what_hits_a_whole_block_cancels_out() {
        let other = [100.0, 300.0, 90.0, 110.0, 500.0, 80.0];
        let cell: Vec<f64> = other.iter().map(|v| v * 1.2).collect();
        let found = pairs(&cell, &other);
        assert!(found.is_above());
        assert!(found.chance(0.05) < 1e-9);
        // The same values in other blocks tell nothing.
        let mut shuffled = cell.clone();
        shuffled.rotate_left(2);
        assert!(pairs(&shuffled, &other).chance(0.05) > 0.2);
    }

    #[test]
    fn a_block_without_one_of_the_two_is_left_out() {
        let mut cell = by_block(&[80.0; 5]);
        let other = by_block(&[100.0; 4]);
        assert_eq!(Pairs::of(&cell, &other, 0.001).unwrap().count, 4);
        cell.remove(&1);
        cell.remove(&2);
        assert_eq!(Pairs::of(&cell, &other, 0.001), None);
    }

    #[test]
    fn a_difference_within_the_threshold_is_none() {
        assert_eq!(pairs(&[104.0; 5], &[100.0; 5]).chance(0.05), 1.0);
        assert!(pairs(&[106.0; 5], &[100.0; 5]).chance(0.05) < 1e-9);
    }

    /// Three launches of each that met one mode of the compiler, against three that met another.
    #[test]
    fn three_pairs_without_scatter_are_not_believed() {
        assert!(pairs(&[120.0; 3], &[100.0; 3]).chance(0.05) > 0.01);
        assert!(pairs(&[1000.0; 3], &[100.0; 3]).chance(0.05) < 1e-3);
    }

    #[test]
    fn the_smallest_detectable_difference_is_beyond_the_threshold_and_shrinks() {
        let scattered = |by: f64| {
            let cell = [1.0, -1.0, 0.5, -0.5, 0.0].map(|place| 100.0 * (1.0 + by * place));
            pairs(&cell, &[100.0; 5]).smallest_detectable(0.05, 0.01)
        };
        assert!(scattered(0.001) > 0.05 && scattered(0.001) < 0.06);
        assert!(scattered(0.02) > 0.08 && scattered(0.2) > 0.5);
    }

    #[test]
    fn more_launches_are_asked_for_where_they_would_settle_it() {
        let cell = [1.0, -1.0, 0.5, -0.5, 0.0].map(|place| 112.0 * (1.0 + 0.05 * place));
        let needed = pairs(&cell, &[100.0; 5]).launches_needed(0.05, 0.01);
        assert!((6..30).contains(&needed.unwrap()), "{needed:?}");
        let on_the_edge = cell.map(|v| v * 105.0 / 112.0);
        assert_eq!(
            pairs(&on_the_edge, &[100.0; 5]).launches_needed(0.05, 0.01),
            None
        );
    }
}

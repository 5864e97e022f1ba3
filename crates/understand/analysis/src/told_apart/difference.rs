//! How far two cells lie apart, and how far they would by chance.
//!
//! The logarithms of values are compared, launches of the same blocks. From some blocks on
//! ([`Pairing`]) each launch is held against that of its own block: a slow minute of the machine
//! hits both, and cancels out (the t test for pairs). With fewer blocks that would cost more
//! degrees of freedom than it removes scatter, and both sides are taken by themselves (Welch, "The
//! generalization of Student's problem", 1947): valid all the same, since the order within blocks
//! is drawn.
//!
//! With fewer than [`FEW`] blocks the scatter is taken to be [`LEAST_SCATTER`] at the least:
//! launches of one JVM service fall into a few modes (what the compilers did first), and three
//! launches of each may meet one mode each, without any scatter, by chance. What more launches
//! would tell is reckoned without that: they would show the scatter themselves.

use std::collections::BTreeMap;
use tacho_run_folder::Plan;
use tacho_statistics::student;

/// Blocks below which there is no answer.
pub const FEWEST_BLOCKS: usize = 3;
/// Blocks below which the scatter is assumed to be at least [`LEAST_SCATTER`].
const FEW: usize = 5;
/// Standard deviation of the difference of two logarithms, about 12 %.
const LEAST_SCATTER: f64 = 0.12;
/// More launches than this are not advised.
const MOST_LAUNCHES: usize = 100;
/// The chance to find a difference that is called detectable.
const POWER: f64 = 0.8;

/// How much the launches of a block have in common. It is known from the plan, before anything is
/// measured: to choose what finds more would find too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairing {
    /// They ran one after another.
    InTime,
    /// They ran at the same time.
    AtOnce,
    /// Nothing: they belong to two runs, whose blocks have nothing to do with each other.
    Apart,
}

impl Pairing {
    /// Of a run.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        match plan.duet {
            _ if plan.apart => Self::Apart,
            Some(_) => Self::AtOnce,
            None => Self::InTime,
        }
    }

    /// Whether launches are compared within their block, of this many blocks. With fewer, what the
    /// pairs have in common is worth less than the degrees of freedom that they cost.
    #[must_use]
    pub fn holds(self, blocks: usize) -> bool {
        match self {
            Self::InTime => blocks >= 8,
            Self::AtOnce => blocks >= 5,
            Self::Apart => false,
        }
    }
}

/// The difference of the logarithms of two cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    pairing: Pairing,
    blocks: usize,
    mean: f64,
    /// Standard deviation of the difference between two launches, as it was found.
    scatter: f64,
    /// Degrees of freedom that each block but the first gives, where launches are not compared
    /// within their block.
    degrees_a_block: f64,
}

/// Values by block.
pub type ByBlock = BTreeMap<u32, f64>;

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    squares / (values.len() - 1) as f64
}

impl Difference {
    /// Compares two cells. Values below `floor` count as `floor`. Within one run only blocks in
    /// which both have a value count. Of two runs all values count, and the number of blocks is the
    /// smaller of the two. `None` where there are too few blocks.
    #[must_use]
    pub fn of(cell: &ByBlock, other: &ByBlock, floor: f64, pairing: Pairing) -> Option<Self> {
        let raised = |value: f64| value.max(floor).ln();
        let all = |of: &ByBlock| -> Vec<f64> {
            let raised = of.values().map(|value| raised(*value));
            raised.filter(|value| value.is_finite()).collect()
        };
        let (cell, other): (Vec<f64>, Vec<f64>) = match pairing {
            Pairing::Apart => (all(cell), all(other)),
            Pairing::InTime | Pairing::AtOnce => cell
                .iter()
                .filter_map(|(block, value)| Some((raised(*value), raised(*other.get(block)?))))
                .filter(|(a, b)| a.is_finite() && b.is_finite())
                .unzip(),
        };
        let blocks = cell.len().min(other.len());
        if blocks < FEWEST_BLOCKS {
            return None;
        }
        let (variance, degrees_a_block) = if !pairing.holds(blocks) {
            let (a, b) = (variance(&cell), variance(&other));
            // Of Welch and Satterthwaite: 1 when only one side scatters, 2 when both do alike.
            let both = (a + b).powi(2) / (a * a + b * b);
            (a + b, if both.is_finite() { both } else { 2.0 })
        } else {
            let within: Vec<f64> = cell.iter().zip(&other).map(|(a, b)| a - b).collect();
            (variance(&within), 1.0)
        };
        Some(Self {
            pairing,
            blocks,
            mean: mean(&cell) - mean(&other),
            scatter: variance.sqrt(),
            degrees_a_block,
        })
    }

    fn error(&self, blocks: usize) -> f64 {
        let least = if blocks < FEW { LEAST_SCATTER } else { 0.0 };
        self.scatter.max(least) / (blocks as f64).sqrt()
    }

    fn degrees(&self, blocks: usize) -> f64 {
        let a_block = match self.pairing.holds(blocks) {
            true => 1.0,
            false => self.degrees_a_block,
        };
        a_block * (blocks - 1) as f64
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
        let t = excess / self.error(self.blocks);
        2.0 * student::above(t, self.degrees(self.blocks))
    }

    /// Between which ratios the two lie, but for so small a chance of error (two-sided).
    #[must_use]
    pub fn interval(&self, error_rate: f64) -> (f64, f64) {
        let t = student::quantile(error_rate / 2.0, self.degrees(self.blocks));
        let around = t * self.error(self.blocks);
        ((self.mean - around).exp(), (self.mean + around).exp())
    }

    /// Whether it is shown at this level that the ratio is within the threshold (a test of
    /// equivalence, Schuirmann 1987).
    #[must_use]
    pub fn is_within(&self, threshold: f64, level: f64) -> bool {
        let t = student::quantile(level, self.degrees(self.blocks));
        self.mean.abs() + t * self.error(self.blocks) <= threshold.ln_1p()
    }

    /// The smallest difference, as a fraction, that would have been told to be beyond the threshold
    /// in 8 of 10 runs at this level (two-sided).
    #[must_use]
    pub fn smallest_detectable(&self, threshold: f64, level: f64) -> f64 {
        let degrees = self.degrees(self.blocks);
        let errors =
            student::quantile(level / 2.0, degrees) + student::quantile(1.0 - POWER, degrees);
        (errors * self.error(self.blocks) + threshold.ln_1p()).exp_m1()
    }

    /// Launches that would answer at this level whether the ratio is beyond the threshold or
    /// within, if it and the scatter stay as they are. `None` when more than 100 would be needed.
    #[must_use]
    pub fn launches_needed(&self, threshold: f64, level: f64) -> Option<u32> {
        let distance = self.mean.abs() - threshold.ln_1p();
        // Within the band the 95 % interval alone decides.
        let level = if distance > 0.0 { level } else { 0.05 };
        (self.blocks + 1..=MOST_LAUNCHES)
            .find(|n| {
                let t = student::quantile(level / 2.0, self.degrees(*n));
                t * self.error(*n) < distance.abs()
            })
            .map(|n| n as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_block(values: &[f64]) -> ByBlock {
        (1..).zip(values.iter().copied()).collect()
    }

    fn difference(cell: &[f64], other: &[f64]) -> Difference {
        Difference::of(&by_block(cell), &by_block(other), 0.001, Pairing::InTime).unwrap()
    }

    #[test]
    fn what_hits_two_at_the_same_time_cancels_out_from_the_fifth_block_on() {
        let other = [100.0, 300.0, 90.0, 110.0, 250.0];
        let cell = other.map(|v| v * 1.5);
        let chance = |pairing| {
            let found = Difference::of(&by_block(&cell), &by_block(&other), 0.001, pairing);
            found.unwrap().chance(0.05)
        };
        assert!(chance(Pairing::AtOnce) < 0.02);
        assert!(chance(Pairing::InTime) > 0.2);
        assert!(Pairing::AtOnce.holds(5) && !Pairing::InTime.holds(7));
        assert!(Pairing::InTime.holds(8) && !Pairing::AtOnce.holds(4));
    }

    #[test]
    fn what_hits_a_whole_block_cancels_out() {
        let other = [100.0, 300.0, 90.0, 110.0, 500.0, 80.0, 200.0, 95.0];
        let cell: Vec<f64> = other.iter().map(|v| v * 1.2).collect();
        let found = difference(&cell, &other);
        assert!(found.is_above());
        assert!(found.chance(0.05) < 1e-9);
        // The same values in other blocks tell nothing.
        let mut shuffled = cell.clone();
        shuffled.rotate_left(2);
        assert!(difference(&shuffled, &other).chance(0.05) > 0.2);
    }

    #[test]
    fn launches_of_two_runs_are_no_pairs_and_all_of_them_count() {
        let other = [100.0, 300.0, 90.0, 110.0, 500.0, 80.0, 200.0, 95.0];
        let cell = by_block(&other.map(|value| value * 1.2));
        let of = |cell: &ByBlock, other: &[f64]| {
            Difference::of(cell, &by_block(other), 0.001, Pairing::Apart)
        };
        // What would cancel out within blocks does not.
        assert!(of(&cell, &other).unwrap().chance(0.05) > 0.2);
        let long = [100.0, 101.0, 99.0, 100.0, 102.0, 98.0];
        let found = of(&by_block(&[120.0, 121.0, 119.0]), &long).unwrap();
        assert_eq!(found.blocks, 3);
        assert!((found.mean - (1.2_f64).ln()).abs() < 1e-3);
        assert_eq!(of(&by_block(&[120.0; 2]), &long), None);
    }

    #[test]
    fn the_interval_is_that_of_the_test() {
        let cell = [120.0, 121.0, 119.0, 120.5, 118.0];
        let other = [100.0, 101.0, 99.0, 100.0, 102.0];
        let found = difference(&cell, &other);
        // What is just told at a level is just outside of the interval of that level.
        let (low, high) = found.interval(0.01);
        assert!(low < 1.192 && 1.192 < high, "{low} {high}");
        let chance = found.chance(low - 1.0);
        assert!((chance - 0.01).abs() < 1e-9, "{chance}");
        let (wider, _) = found.interval(0.001);
        assert!(wider < low);
    }

    #[test]
    fn a_block_without_one_of_the_two_is_left_out() {
        let mut cell = by_block(&[80.0; 5]);
        let other = by_block(&[100.0; 4]);
        let of = |cell: &ByBlock| Difference::of(cell, &other, 0.001, Pairing::InTime);
        assert_eq!(of(&cell).unwrap().blocks, 4);
        cell.remove(&1);
        cell.remove(&2);
        assert_eq!(of(&cell), None);
    }

    #[test]
    fn a_difference_within_the_threshold_is_none() {
        assert_eq!(difference(&[104.0; 5], &[100.0; 5]).chance(0.05), 1.0);
        assert!(difference(&[106.0; 5], &[100.0; 5]).chance(0.05) < 1e-9);
    }

    /// Three launches of each that met one mode of the compiler, against three that met another.
    #[test]
    fn three_launches_without_scatter_are_not_believed() {
        assert!(difference(&[120.0; 3], &[100.0; 3]).chance(0.05) > 0.01);
        assert!(difference(&[1000.0; 3], &[100.0; 3]).chance(0.05) < 1e-3);
    }

    #[test]
    fn the_smallest_detectable_difference_is_beyond_the_threshold_and_shrinks() {
        let scattered = |by: f64| {
            let cell = [1.0, -1.0, 0.5, -0.5, 0.0].map(|place| 100.0 * (1.0 + by * place));
            difference(&cell, &[100.0; 5]).smallest_detectable(0.05, 0.01)
        };
        assert!(scattered(0.001) > 0.05 && scattered(0.001) < 0.06);
        assert!(scattered(0.02) > 0.08 && scattered(0.2) > 0.5);
    }

    #[test]
    fn more_launches_are_asked_for_where_they_would_settle_it() {
        let cell = [1.0, -1.0, 0.5, -0.5, 0.0].map(|place| 112.0 * (1.0 + 0.05 * place));
        let needed = difference(&cell, &[100.0; 5]).launches_needed(0.05, 0.01);
        assert!((6..30).contains(&needed.unwrap()), "{needed:?}");
        let on_the_edge = cell.map(|v| v * 105.0 / 112.0);
        assert_eq!(
            difference(&on_the_edge, &[100.0; 5]).launches_needed(0.05, 0.01),
            None
        );
    }

    /// The scatter that is assumed of a few launches is not that of many.
    #[test]
    fn a_few_launches_with_hardly_any_scatter_ask_for_a_few_more() {
        let found = difference(&[109.9, 110.0, 110.1], &[100.0; 3]);
        assert!(found.chance(0.05) > 0.01);
        assert_eq!(found.launches_needed(0.05, 0.01), Some(5));
    }
}

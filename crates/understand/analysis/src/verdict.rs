//! Better, worse, same or inconclusive: where the interval of a ratio lies against the practical
//! threshold, and whether the difference was told apart among all that the run compares.
//!
//! With the threshold t, the *band* of practical equality is [1/(1 + t), 1 + t]; on the scale of
//! ratios it is symmetric, so that swapping cell and baseline swaps better and worse and nothing
//! else.
//!
//! | the 95 % interval of the ratio | verdict |
//! |---|---|
//! | lies wholly beyond the band, on the good side, and [`crate::told_apart`] says so | better |
//! | lies wholly beyond the band, on the bad side, and likewise | worse |
//! | lies wholly within the band | same |
//! | anything else | inconclusive |
//!
//! All three conclusions are statements about the whole interval. The weaker rule (the interval
//! leaves out 1 and the estimate is beyond the band) would call a variant better whose advantage
//! may well be below what the user calls a difference; "better" is to mean "better by more than the
//! threshold".
//!
//! Fewer than [`FEWEST_LAUNCHES`] launches on either side are inconclusive whatever was measured.

use crate::told_apart::{FEWEST_BLOCKS, Told};
use std::cmp::Ordering;
use tacho_run_folder::{Comparison, Good, Interval, Verdict};
use tacho_statistics::bootstrap::{paired_ratio_interval, ratio_interval};

/// Launches of either side below which there is no verdict.
pub const FEWEST_LAUNCHES: usize = FEWEST_BLOCKS;

/// How a metric is compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Yardstick {
    /// Which direction is good.
    pub good: Good,
    /// Values below it count as it: what the instrument cannot tell from zero, or nobody needs to.
    /// It keeps the ratio finite where zero is a natural value (failed requests, throttling).
    pub floor: f64,
    /// The value is a fact that holds for every launch, such as the size of a jar: one is enough.
    pub fact: bool,
    /// Practical threshold as a fraction.
    pub threshold: f64,
}

/// The values that are compared.
#[derive(Debug, Clone, PartialEq)]
pub enum Sample {
    /// Of the cell, and of its baseline.
    Apart(Vec<f64>, Vec<f64>),
    /// Of both, launches of the same block together: the ratio is the median of theirs.
    Paired(Vec<(f64, f64)>),
}

impl Sample {
    /// The ratio with its interval; values below the floor count as it.
    fn ratio(&self, floor: f64, seed: u64) -> Option<Interval> {
        match self {
            Self::Apart(cell, baseline) => {
                let raised =
                    |values: &[f64]| -> Vec<f64> { values.iter().map(|v| v.max(floor)).collect() };
                ratio_interval(&raised(cell), &raised(baseline), seed)
            }
            Self::Paired(pairs) => {
                let raised = pairs.iter().map(|(a, b)| (a.max(floor), b.max(floor)));
                paired_ratio_interval(raised)
            }
        }
    }

    /// On the side that has fewer.
    fn launches(&self) -> usize {
        match self {
            Self::Apart(cell, baseline) => cell.len().min(baseline.len()),
            Self::Paired(pairs) => pairs.len(),
        }
    }
}

/// Compares the launches of a cell with those of its baseline. `None` when either has no value.
#[must_use]
pub fn compare(
    sample: &Sample,
    yardstick: &Yardstick,
    told: Told,
    seed: u64,
) -> Option<Comparison> {
    let ratio = sample.ratio(yardstick.floor, seed)?;
    let replicated = sample.launches() >= FEWEST_LAUNCHES;
    let verdict = match lies(&ratio, yardstick.threshold) {
        _ if !(yardstick.fact || replicated) => Verdict::Inconclusive,
        Some(Ordering::Equal) => Verdict::Same,
        Some(order) if yardstick.fact || told.order == order => match (order, yardstick.good) {
            (Ordering::Less, Good::Lower) | (Ordering::Greater, Good::Higher) => Verdict::Better,
            _ => Verdict::Worse,
        },
        _ => Verdict::Inconclusive,
    };
    Some(Comparison {
        ratio,
        verdict,
        threshold: yardstick.threshold,
        smallest_detectable: if yardstick.fact {
            0.0
        } else {
            told.smallest_detectable
        },
        launches_needed: told
            .launches_needed
            .filter(|_| verdict == Verdict::Inconclusive && !yardstick.fact),
    })
}

/// Where an interval lies: below the band of practical equality, within or above it. `None` where
/// it lies across an end of it.
fn lies(ratio: &Interval, threshold: f64) -> Option<Ordering> {
    let highest_same = 1.0 + threshold.max(0.0);
    let lowest_same = 1.0 / highest_same;
    if ratio.high < lowest_same {
        Some(Ordering::Less)
    } else if ratio.low > highest_same {
        Some(Ordering::Greater)
    } else if ratio.low >= lowest_same && ratio.high <= highest_same {
        Some(Ordering::Equal)
    } else {
        None
    }
}

#[cfg(test)]
#[path = "verdict_tests.rs"]
mod tests;

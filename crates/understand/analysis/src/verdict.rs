//! Better, worse, same or inconclusive: where the interval of a ratio lies against the practical
//! threshold.
//!
//! With the threshold t, the *band* of practical equality is [1/(1 + t), 1 + t]; on the scale of
//! ratios it is symmetric, so that swapping cell and baseline swaps better and worse and nothing
//! else.
//!
//! | the 95 % interval of the ratio | verdict |
//! |---|---|
//! | lies wholly beyond the band, on the good side | better |
//! | lies wholly beyond the band, on the bad side | worse |
//! | lies wholly within the band | same |
//! | anything else | inconclusive |
//!
//! All three conclusions are statements about the whole interval. The weaker rule (the interval
//! leaves out 1 and the estimate is beyond the band) would call a variant better whose advantage
//! may well be below what the user calls a difference; "better" is to mean "better by more than the
//! threshold".
//!
//! Fewer than [`FEWEST_LAUNCHES`] launches on either side are inconclusive whatever was measured:
//! two and two identical variants separate completely in one of three cases.

use crate::bootstrap::{median, ratio_interval};
use tacho_run_folder::{Comparison, Good, Interval, Verdict};

/// Launches of either side below which there is no verdict. With three, identical variants separate
/// completely in one of ten cases, and must be further apart than the threshold on top of that.
pub const FEWEST_LAUNCHES: usize = 3;

/// A smallest detectable effect above this is given as this (1000 %): JSON has no infinity, and "a
/// factor of eleven or more" is as good as nothing.
pub const LARGEST_EFFECT: f64 = 10.0;

/// From half the width of a 95 % interval (1.96 standard errors) to the difference that is found in
/// 8 of 10 runs (1.96 + 0.84 standard errors): the usual definition of the minimum detectable
/// effect (Bloom, "Minimum detectable effects", 1995).
const POWER_80: f64 = (1.96 + 0.84) / 1.96;

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

/// Compares the launches of a cell with those of its baseline. `None` when either has no value.
#[must_use]
pub fn compare(
    cell: &[f64],
    baseline: &[f64],
    yardstick: &Yardstick,
    seed: u64,
) -> Option<Comparison> {
    let raised =
        |values: &[f64]| -> Vec<f64> { values.iter().map(|v| v.max(yardstick.floor)).collect() };
    let ratio = ratio_interval(&raised(cell), &raised(baseline), seed)?;
    let replicated = cell.len().min(baseline.len()) >= FEWEST_LAUNCHES;
    let known = yardstick.fact || replicated;
    Some(Comparison {
        ratio,
        verdict: if known {
            verdict(&ratio, yardstick)
        } else {
            Verdict::Inconclusive
        },
        threshold: yardstick.threshold,
        smallest_detectable: if known {
            smallest_detectable(&ratio)
        } else {
            LARGEST_EFFECT
        },
    })
}

fn verdict(ratio: &Interval, yardstick: &Yardstick) -> Verdict {
    let highest_same = 1.0 + yardstick.threshold.max(0.0);
    let lowest_same = 1.0 / highest_same;
    let (below, above) = match yardstick.good {
        Good::Lower => (Verdict::Better, Verdict::Worse),
        Good::Higher => (Verdict::Worse, Verdict::Better),
    };
    if ratio.high < lowest_same {
        below
    } else if ratio.low > highest_same {
        above
    } else if ratio.low >= lowest_same && ratio.high <= highest_same {
        Verdict::Same
    } else {
        Verdict::Inconclusive
    }
}

/// Smallest difference, as a fraction, that would have been told from none in 8 of 10 runs with
/// this many launches of this scatter: exp(1.43 h) - 1, where h is half the width of the interval
/// on the logarithmic scale, on which a ratio and its inverse are equally wide.
#[must_use]
pub fn smallest_detectable(ratio: &Interval) -> f64 {
    let effect = (POWER_80 * half_width(ratio)).exp_m1();
    if effect.is_finite() {
        effect.min(LARGEST_EFFECT)
    } else {
        LARGEST_EFFECT
    }
}

fn half_width(ratio: &Interval) -> f64 {
    (ratio.high / ratio.low).ln() / 2.0
}

/// Launches of each cell that would settle an inconclusive comparison, if the estimate and the
/// scatter stay as they are: intervals shrink with the square root of the number. `None` when it is
/// settled already, when there is no interval to go by, or when more than 100 would be needed.
#[must_use]
pub fn launches_needed(comparison: &Comparison, launches: usize) -> Option<u32> {
    if comparison.verdict != Verdict::Inconclusive || launches < FEWEST_LAUNCHES {
        return None;
    }
    let distance_to_bound =
        (comparison.ratio.value.ln().abs() - comparison.threshold.max(0.0).ln_1p()).abs();
    let factor = half_width(&comparison.ratio) / distance_to_bound;
    let needed = (launches as f64 * factor * factor).ceil();
    // The interval need not lie evenly about its estimate, so that this can come out too low.
    let needed = needed.max(launches as f64 + 1.0);
    (needed <= 100.0).then_some(needed as u32)
}

/// Whether `a` is worse than `b` beyond the threshold, by [`compare`]; and by the medians, whether
/// it is better.
pub(crate) fn is_worse(a: &[f64], b: &[f64], yardstick: &Yardstick, seed: u64) -> bool {
    compare(a, b, yardstick, seed).is_some_and(|c| c.verdict == Verdict::Worse)
}

/// The better of two medians.
pub(crate) fn is_better_median(a: &[f64], b: &[f64], good: Good) -> bool {
    match (median(a), median(b)) {
        (Some(a), Some(b)) => match good {
            Good::Lower => a < b,
            Good::Higher => a > b,
        },
        (a, _) => a.is_some(),
    }
}

#[cfg(test)]
#[path = "verdict_tests.rs"]
mod tests;

//! Whether a claim holds here.
//!
//! A figure counts as the same when its whole interval lies within the range that counts as the
//! same. It counts as different when its whole interval lies outside. Otherwise the result is "not
//! told". The interval is Student's, over the logarithms of launches (Welch's for a ratio). It is
//! wide enough that at most one run in twenty says anything false about any claim of a file
//! (Bonferroni). Values that are the same in every launch, such as counts and sizes, are exact.

use crate::measured::{Measured, Values};
use crate::model::{Claim, Claims, Expected, Length};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tacho_analysis::told_apart::{ERROR_RATE, FEWEST_BLOCKS, interval_of, interval_of_ratio};
use tacho_run_folder::{CertificateState, Interval};
use tacho_statistics::bootstrap::median;

/// What came out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "state", content = "reason", rename_all = "kebab-case")]
pub enum Outcome {
    /// The whole interval lies within what counts as the same.
    Same,
    /// The whole interval lies outside what counts as the same.
    Differs,
    /// The interval lies partly inside and partly outside: not decided.
    NotTold,
    /// There is no figure that the claim could be compared with; the reason.
    NotMeasured(String),
}

impl Outcome {
    /// Whether it speaks against what was expected. What is not told, or was not measured, does
    /// not.
    #[must_use]
    pub fn contradicts(&self, expected: Expected) -> bool {
        match self {
            Self::Same => expected == Expected::Differs,
            Self::Differs => expected == Expected::Same,
            Self::NotTold | Self::NotMeasured(_) => false,
        }
    }
}

/// What was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Seen {
    /// Median over launches (for a ratio, the ratio of the medians), with the interval by which it
    /// was judged.
    pub figure: Interval,
    /// As in `results.json`; `1` of ratios and counts.
    pub unit: String,
    /// Whether the figure is a ratio of two variants.
    pub is_ratio: bool,
    /// Launches of each variant; the fewer where they differ.
    pub launches: usize,
    /// Certificate of the run; null where a command gave the figure, which has no certificate.
    pub certificate: Option<CertificateState>,
}

/// A claim beside what was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judged {
    /// The claim as a sentence, with its figures.
    pub says: String,
    /// What counts as the same, in words.
    pub same: String,
    /// What was seen; null where nothing was.
    pub seen: Option<Seen>,
    /// Result of the comparison.
    pub outcome: Outcome,
    /// Result that the author of the file expects.
    pub expected: Expected,
    /// Whether the outcome contradicts `expected`.
    pub is_contradiction: bool,
    /// Why the figure is the same or not; empty where it is not known.
    pub why: String,
}

/// Judges each claim by what its run measured. `measured` has the runs in their order, all made at
/// this length.
#[must_use]
pub fn judge(claims: &Claims, measured: &[Measured], length: Length) -> Vec<Judged> {
    let error_rate = ERROR_RATE / claims.claims.len().max(1) as f64;
    let nothing = Measured::Nothing("its run was not made".to_owned());
    let judged = claims.claims.iter().map(|claim| {
        let measured = measured.get(claim.run).unwrap_or(&nothing);
        one(claim, measured, length, error_rate)
    });
    judged.collect()
}

fn one(claim: &Claim, measured: &Measured, length: Length, error_rate: f64) -> Judged {
    let expected = claim.expected(length);
    let (seen, outcome) = match measured.values(&claim.figure) {
        Ok(values) => outcome(claim, values, error_rate),
        Err(why) => (None, Outcome::NotMeasured(why)),
    };
    Judged {
        says: claim.says.clone(),
        same: claim.same.to_string(),
        is_contradiction: outcome.contradicts(expected),
        seen,
        outcome,
        expected,
        why: claim.why.clone(),
    }
}

fn outcome(claim: &Claim, values: Values, error_rate: f64) -> (Option<Seen>, Outcome) {
    let told = interval(&values, error_rate);
    let is_told = told.is_some();
    let Some(figure) = told.or_else(|| range(&values)) else {
        let few = "too few launches have a value; three of each are the fewest that tell";
        return (None, Outcome::NotMeasured(few.to_owned()));
    };
    let fewest = values
        .to
        .iter()
        .map(Vec::len)
        .chain([values.of.len()])
        .min();
    let seen = Seen {
        figure,
        is_ratio: values.to.is_some(),
        launches: fewest.unwrap_or(0),
        certificate: values.certificate,
        unit: values.unit,
    };
    let outcome = match claim.same.in_unit(&seen.unit) {
        _ if seen.certificate == Some(CertificateState::Invalid) => {
            Outcome::NotMeasured("the certificate of its run is invalid".to_owned())
        }
        None => Outcome::NotMeasured(format!(
            "`same` is no range of a figure in {}: {}",
            seen.unit, claim.same
        )),
        Some(_) if !is_told => Outcome::NotTold,
        Some((low, high)) if low <= figure.low && figure.high <= high => Outcome::Same,
        Some((low, high)) if figure.high < low || high < figure.low => Outcome::Differs,
        Some(_) => Outcome::NotTold,
    };
    (Some(seen), outcome)
}

/// The median between the lowest and the highest value: of values among which one is 0, such as the
/// share of requests that failed, there is no interval on a logarithmic scale, and nothing is told.
fn range(values: &Values) -> Option<Interval> {
    let all = &values.of;
    if values.to.is_some() || all.len() < FEWEST_BLOCKS || all.iter().all(|value| *value > 0.0) {
        return None;
    }
    Some(Interval {
        value: median(all)?,
        low: all.iter().copied().fold(f64::INFINITY, f64::min),
        high: all.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    })
}

/// The median with its interval. Student's interval is around the geometric mean. Where the median
/// lies outside, the interval is widened to include it.
fn interval(values: &Values, error_rate: f64) -> Option<Interval> {
    let of = median(&values.of)?;
    let is_exact = |all: &[f64]| {
        let is_enough = values.is_counted || all.len() >= FEWEST_BLOCKS;
        is_enough
            && all
                .windows(2)
                .all(|two| two[0].to_bits() == two[1].to_bits())
    };
    let (value, (low, high)) = match &values.to {
        Some(to) => {
            let ratio = of / median(to)?;
            let exact = is_exact(&values.of) && is_exact(to) && ratio.is_finite();
            let spread = || interval_of_ratio(&values.of, to, error_rate);
            (ratio, if exact { (ratio, ratio) } else { spread()? })
        }
        None if is_exact(&values.of) => (of, (of, of)),
        None => (of, interval_of(&values.of, error_rate)?),
    };
    Some(Interval {
        value,
        low: low.min(value),
        high: high.max(value),
    })
}

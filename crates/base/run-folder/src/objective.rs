//! What a search asks of the subject: `p99<50ms, errors<0.1%`.

use crate::Quantiles;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Bounds of the response time, all of which have to hold, and of the share of requests that fail.
///
/// ```text
/// objective = bound { "," bound }
/// bound     = ( "mean" | "p50" | "p90" | "p95" | "p99" | "p99.9" | "max" ) op number ( "us" | "ms" | "s" )
///           | "errors" op number "%"
/// op        = "<" | "<="
/// ```
/// A request that failed was not answered in time either. So without a bound of errors as many may fail as the
/// strictest bound of the response time leaves over: 1 % with p99, none with max, half with p50 and mean.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Objective {
    text: String,
    /// At least one.
    times: Vec<TimeBound>,
    errors: ErrorBound,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct TimeBound {
    statistic: Statistic,
    operator: Operator,
    ms: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct ErrorBound {
    operator: Operator,
    share: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Less,
    LessOrEqual,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Statistic {
    Mean,
    P50,
    P90,
    P95,
    P99,
    P99_9,
    Max,
}

/// The words of the grammar that have a time, as they are listed to people.
const STATISTICS: [(&str, Statistic); 7] = [
    ("mean", Statistic::Mean),
    ("p50", Statistic::P50),
    ("p90", Statistic::P90),
    ("p95", Statistic::P95),
    ("p99", Statistic::P99),
    ("p99.9", Statistic::P99_9),
    ("max", Statistic::Max),
];

/// An objective that is not understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ObjectiveError {
    /// Nothing is compared.
    #[error(
        "`{0}` is no objective; write a bound such as `p99<50ms`, several with commas between them"
    )]
    NoOperator(String),
    /// A word that is no statistic.
    #[error(
        "`{0}` cannot be searched for; write mean, p50, p90, p95, p99, p99.9 or max with a time, or errors with a share"
    )]
    UnknownWord(String),
    /// The bound is no time.
    #[error("`{word}` needs a time above 0 such as 50ms, not `{found}`")]
    NotATime {
        /// Before the operator.
        word: String,
        /// Behind it.
        found: String,
    },
    /// The bound is no share.
    #[error("`errors` needs a share between 0% and 100% such as 0.1%, not `{0}`")]
    NotAShare(String),
    /// Nothing bounds the response time.
    #[error("an objective needs a bound of the response time, for example `p99<50ms, {0}`")]
    NoTime(String),
    /// Two bounds of errors.
    #[error("`errors` stands in the objective twice; leave the stricter one")]
    TwoErrorBounds,
}

impl Objective {
    /// Whether it holds for the response times of a phase, of which the share `failed` (0 to 1) of requests
    /// failed. Without response times it does not.
    #[must_use]
    pub fn holds(&self, response_time: Option<&Quantiles>, failed: f64) -> bool {
        let Some(times) = response_time else {
            return false;
        };
        self.errors.operator.holds(failed, self.errors.share)
            && self
                .times
                .iter()
                .all(|bound| bound.operator.holds(bound.statistic.of(times), bound.ms))
    }

    /// The shortest of its times, in milliseconds.
    #[must_use]
    pub fn tightest_ms(&self) -> f64 {
        self.times
            .iter()
            .map(|bound| bound.ms)
            .fold(f64::INFINITY, f64::min)
    }

    /// The share of requests that may fail, 0 to 1.
    #[must_use]
    pub fn errors_allowed(&self) -> f64 {
        self.errors.share
    }
}

impl Operator {
    fn holds(self, value: f64, bound: f64) -> bool {
        match self {
            Self::Less => value < bound,
            Self::LessOrEqual => value <= bound,
        }
    }
}

impl Statistic {
    fn of(self, times: &Quantiles) -> f64 {
        match self {
            Self::Mean => times.mean,
            Self::P50 => times.p50,
            Self::P90 => times.p90,
            Self::P95 => times.p95,
            Self::P99 => times.p99,
            Self::P99_9 => times.p99_9,
            Self::Max => times.max,
        }
    }

    /// The share of requests of which it says nothing.
    fn left_over(self) -> f64 {
        match self {
            Self::Mean | Self::P50 => 0.5,
            Self::P90 => 0.1,
            Self::P95 => 0.05,
            Self::P99 => 0.01,
            Self::P99_9 => 0.001,
            Self::Max => 0.0,
        }
    }
}

impl FromStr for Objective {
    type Err = ObjectiveError;

    fn from_str(text: &str) -> Result<Self, ObjectiveError> {
        let mut times = Vec::new();
        let mut errors = None;
        for bound in text.split(',') {
            let (word, operator, limit) = take_apart(bound)?;
            if word == "errors" {
                let share = share(limit)?;
                if errors.replace(ErrorBound { operator, share }).is_some() {
                    return Err(ObjectiveError::TwoErrorBounds);
                }
            } else {
                times.push(time_bound(word, operator, limit)?);
            }
        }
        let left_over = times
            .iter()
            .map(|bound| bound.statistic.left_over())
            .reduce(f64::min)
            .ok_or_else(|| ObjectiveError::NoTime(text.trim().to_owned()))?;
        Ok(Self {
            text: text.trim().to_owned(),
            times,
            errors: errors.unwrap_or(ErrorBound {
                operator: Operator::LessOrEqual,
                share: left_over,
            }),
        })
    }
}

fn take_apart(bound: &str) -> Result<(&str, Operator, &str), ObjectiveError> {
    let (word, rest) = bound
        .split_once('<')
        .ok_or_else(|| ObjectiveError::NoOperator(bound.trim().to_owned()))?;
    let (operator, limit) = match rest.strip_prefix('=') {
        Some(limit) => (Operator::LessOrEqual, limit),
        None => (Operator::Less, rest),
    };
    Ok((word.trim(), operator, limit.trim()))
}

fn time_bound(word: &str, operator: Operator, limit: &str) -> Result<TimeBound, ObjectiveError> {
    let (_, statistic) = STATISTICS
        .into_iter()
        .find(|(name, _)| *name == word)
        .ok_or_else(|| ObjectiveError::UnknownWord(word.to_owned()))?;
    let ms = milliseconds(limit).ok_or_else(|| ObjectiveError::NotATime {
        word: word.to_owned(),
        found: limit.to_owned(),
    })?;
    Ok(TimeBound {
        statistic,
        operator,
        ms,
    })
}

fn milliseconds(text: &str) -> Option<f64> {
    let (number, factor) = [("us", 1e-3), ("ms", 1.0), ("s", 1e3)]
        .into_iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)))?;
    let ms = positive(number)? * factor;
    (ms > 0.0 && ms.is_finite()).then_some(ms)
}

fn share(text: &str) -> Result<f64, ObjectiveError> {
    text.strip_suffix('%')
        .and_then(positive)
        .map(|percent| percent / 100.0)
        .filter(|share| *share <= 1.0)
        .ok_or_else(|| ObjectiveError::NotAShare(text.to_owned()))
}

/// A finite number of 0 or more in digits: neither `inf` nor `1e3`.
fn positive(text: &str) -> Option<f64> {
    let text = text.trim();
    let digits = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    // Some hundred digits are beyond all numbers: they parse as infinite.
    text.parse()
        .ok()
        .filter(|number: &f64| digits && number.is_finite())
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<Objective> for String {
    fn from(objective: Objective) -> Self {
        objective.text
    }
}

impl TryFrom<String> for Objective {
    type Error = ObjectiveError;

    fn try_from(text: String) -> Result<Self, ObjectiveError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests;

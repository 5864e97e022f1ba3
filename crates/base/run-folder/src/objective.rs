//! What a search asks of the subject: `p99<50ms, errors<0.1%`.

use crate::{Quantile, Quantiles};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tacho_quantity::{
    Dimension, Errors, Metric, Misread, ObjectiveProblem, Operator, Time, objectives,
};

/// Bounds of the response time, all of which have to hold, and of the share of requests that fail.
///
/// ```text
/// objective = bound { "," bound }
/// bound     = ( "mean" | "p50" | "p90" | "p95" | "p99" | "p99.9" | "max" ) op time
///           | "errors" op share
/// op        = "<" | "<="
/// ```
/// They are written as all objectives are ([`tacho_quantity::Objective`]); a trial has no more to
/// tell than these.
///
/// A request that failed was not answered in time either. So without a bound of errors as many may
/// fail as the strictest bound of the response time leaves over: 1 % with p99, none with max, half
/// with p50 and mean.
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
enum Statistic {
    Mean,
    Of(Quantile),
}

/// An objective that is not understood. The text shows the place.
pub type ObjectiveError = Misread<SearchProblem>;

/// Why an objective cannot be searched for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchProblem {
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(ObjectiveProblem),
    /// A word that is no statistic.
    #[error(
        "`{0}` cannot be searched for; write mean, p50, p90, p95, p99, p99.9 or max with a time, or errors with a share"
    )]
    UnknownWord(String),
    /// More is asked for.
    #[error(
        "a search raises the rate until too much is reached: write < or <=, for example `p99<50ms`"
    )]
    AsksForMore,
    /// A part that trials do not tell apart.
    #[error("a search looks at whole trials and at all of their requests; leave `{0}` out")]
    NotOfATrial(String),
    /// The bound is no time.
    #[error("`{word}` needs a time above 0 such as 50ms, not `{found}`")]
    NotATime {
        /// Before the operator.
        word: String,
        /// What stands after the operator.
        found: String,
    },
    /// The bound is no share.
    #[error("`errors` needs a share between 0% and 100% such as 0.1%, not `{0}`")]
    NotAShare(String),
    /// Nothing bounds the response time.
    #[error("an objective needs a bound of the response time, for example `p99<50ms, {0}`")]
    NoTime(String),
    /// Two bounds of errors.
    #[error("`errors` is in the objective twice; keep only the stricter one")]
    TwoErrorBounds,
}

impl Objective {
    /// Whether it holds for the response times of a phase, of which the share `failed` (0 to 1) of
    /// requests failed. Without response times it does not.
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

    /// How much of a bounded time comes from the difference of two distributions: the largest of
    /// `(with - without) / with` over all bounds, 0 to 1.
    #[must_use]
    pub fn share_added(&self, with: &Quantiles, without: &Quantiles) -> f64 {
        let share = |bound: &TimeBound| {
            let (with, without) = (bound.statistic.of(with), bound.statistic.of(without));
            if with > 0.0 {
                (with - without) / with
            } else {
                0.0
            }
        };
        self.times.iter().map(share).fold(0.0, f64::max)
    }

    /// The share of requests that may fail, 0 to 1.
    #[must_use]
    pub fn errors_allowed(&self) -> f64 {
        self.errors.share
    }
}

impl Statistic {
    fn of(self, times: &Quantiles) -> f64 {
        match self {
            Self::Mean => times.mean,
            Self::Of(quantile) => quantile.of(times),
        }
    }

    fn named(word: &str) -> Option<Self> {
        if word == "mean" {
            return Some(Self::Mean);
        }
        let mut quantiles = Quantile::ALL.into_iter();
        let named = quantiles.find(|quantile| quantile.name() == word);
        named.map(Self::Of)
    }

    /// The share of requests of which it says nothing.
    fn left_over(self) -> f64 {
        match self {
            Self::Mean => 0.5,
            Self::Of(quantile) => (1_000 - quantile.thousandths()) as f64 / 1e3,
        }
    }
}

impl FromStr for Objective {
    type Err = ObjectiveError;

    fn from_str(text: &str) -> Result<Self, ObjectiveError> {
        let mut times = Vec::new();
        let mut errors = None;
        for bound in objectives(text) {
            match Bound::of(bound)? {
                Bound::Time(bound) => times.push(bound),
                Bound::Errors(bound) if errors.is_none() => errors = Some(bound),
                Bound::Errors(_) => return Err(all(text, SearchProblem::TwoErrorBounds)),
            }
        }
        let left_over = times
            .iter()
            .map(|bound| bound.statistic.left_over())
            .reduce(f64::min)
            .ok_or_else(|| all(text, SearchProblem::NoTime(text.trim().to_owned())))?;
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

fn all(text: &str, problem: SearchProblem) -> ObjectiveError {
    tacho_quantity::Part::of(text, 0, text.len()).error(problem)
}

/// One of them.
enum Bound {
    Time(TimeBound),
    Errors(ErrorBound),
}

impl Bound {
    fn of(text: &str) -> Result<Self, ObjectiveError> {
        let read: tacho_quantity::Objective = text
            .parse()
            .map_err(|error: Misread<_>| error.map(SearchProblem::Unreadable))?;
        let operator = read.operator;
        let word = read.word();
        let unknown = || word.error(SearchProblem::UnknownWord(word.text().to_owned()));
        let finer = [read.cells(), read.phase(), read.request()];
        if let Some(part) = finer.into_iter().flatten().next() {
            return Err(part.error(SearchProblem::NotOfATrial(part.text().to_owned())));
        }
        if read.window.is_some() {
            let window = "over every".to_owned();
            return Err(read.whole().error(SearchProblem::NotOfATrial(window)));
        }
        if !operator.asks_for_less() {
            return Err(read.whole().error(SearchProblem::AsksForMore));
        }
        let bound = read.bound_as_written();
        let found = || bound.text().to_owned();
        match read.metric {
            Metric::Errors => {
                // A number of them is no bound: a trial is as long as its rate makes it.
                let share = match read.errors() {
                    Ok(Errors::Share(share)) => Some(share.value()),
                    Ok(Errors::Count(0.0)) => Some(0.0),
                    _ => None,
                };
                match share {
                    Some(share) => Ok(Self::Errors(ErrorBound { operator, share })),
                    None => Err(bound.error(SearchProblem::NotAShare(found()))),
                }
            }
            Metric::Time(Time::Response, _) => {
                let plain = word.text().trim_start_matches("response");
                let plain = plain.trim_start_matches(['-', '_']);
                let statistic = Statistic::named(plain).ok_or_else(unknown)?;
                let time = read.bound(Dimension::Duration).ok();
                let ms = time.map(|bound| match bound.unit.name {
                    "ms" => bound.number,
                    _ => bound.value() * 1e3,
                });
                match ms.filter(|ms| *ms > 0.0 && ms.is_finite()) {
                    Some(ms) => Ok(Self::Time(TimeBound {
                        statistic,
                        operator,
                        ms,
                    })),
                    None => Err(bound.error(SearchProblem::NotATime {
                        word: word.text().to_owned(),
                        found: found(),
                    })),
                }
            }
            Metric::Time(..) | Metric::Rate | Metric::Word(_) => Err(unknown()),
        }
    }
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

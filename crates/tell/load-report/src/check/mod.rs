//! Objectives such as `p99<50ms`, and whether a load run meets them.
//!
//! ```text
//! check  = [ phase "." ] metric [ "of" kind ] op number unit [ "over" ( "every" | "any" ) length ]
//! metric = [ "service-" | "dispatch-" | "lag-" ] ( "p" number | "min" | "mean" | "max" ) | "rate" | "errors"
//! op     = "<" | "<=" | ">" | ">="
//! ```
//! `p99<50ms`, `p99.9 of login < 200ms`, `rate>1900/s`, `errors<1%` (a share), `errors<=3` (a count),
//! `dispatch-p99.9<1ms`, `ramp.max<1s`, `p99<50ms over every 10s`.
//!
//! Times without a prefix are response times, those of requests that succeeded. `rate` counts requests that succeeded, a
//! second: an error is no service. Without a phase a check is about the whole run.
//!
//! With `over every 10s` it has to hold in each stretch of ten seconds, beginning at each second of a phase, as
//! far as the phase is that long; a shorter phase is one stretch. `any` says the same: whichever ten seconds one
//! takes. The histograms of a stretch are merged, then asked. A stretch in which nothing ended has no times to
//! judge, but a rate of 0.

mod evaluate;
mod parse;
#[cfg(test)]
mod tests;
mod window;

pub use evaluate::Evaluator;

use tacho_analysis::check::{Misread, Operator, Unit, suggestion_or_all};

/// An objective.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// As the user wrote it.
    pub text: String,
    phase: Option<String>,
    metric: Metric,
    kind: Option<String>,
    operator: Operator,
    /// In `unit`.
    bound: f64,
    unit: &'static Unit,
    /// Length of the windows in seconds.
    every_s: Option<f64>,
}

/// What is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Metric {
    Time(Time, Statistic),
    Rate,
    ErrorShare,
    ErrorCount,
}

/// From which instant to which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Time {
    Response,
    Service,
    Dispatch,
    Lag,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Statistic {
    /// Between 0 and 1.
    Quantile(f64),
    Min,
    Mean,
    Max,
}

/// Why a check cannot be read, with the place.
pub type CheckError = Misread<CheckProblem>;

/// What is wrong with a check, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckProblem {
    /// Neither `<` nor `>`.
    #[error("a check compares, as in `p99<50ms`: write <, <=, > or >=")]
    NoOperator,
    /// Nothing before the operator.
    #[error("the metric is missing, as in `p99<50ms`")]
    NoMetric,
    /// A word that is no metric.
    #[error("`{word}` is no metric{}", suggestion_or_all(nearest, &parse::metrics()))]
    UnknownMetric {
        /// The word.
        word: String,
        /// The nearest right ones.
        nearest: Vec<String>,
    },
    /// `p0`, `p100`, `p101`.
    #[error(
        "`{word}` is no quantile: write a number between 0 and 100, as in `p99` or `p99.9`, or `min` or `max`"
    )]
    NoQuantile {
        /// The word.
        word: String,
    },
    /// Lateness is the generator's, whatever it sends.
    #[error("`{metric}` is recorded for all requests together: write it without `of {kind}`")]
    NotByKind {
        /// The metric.
        metric: String,
        /// The kind.
        kind: String,
    },
    /// Nothing behind `of`.
    #[error("the name of a request is missing behind `of`, as in `p99 of login < 50ms`")]
    NoKind,
    /// The mix has no such request.
    #[error("no request is called `{word}`{}", suggestion_or_all(nearest, known))]
    UnknownKind {
        /// The word.
        word: String,
        /// The nearest right ones.
        nearest: Vec<String>,
        /// All right ones.
        known: Vec<String>,
    },
    /// Beyond the bound on kinds.
    #[error(
        "`{word}` is counted together with others: only the first {} requests of a mix have histograms of their own; put it among them",
        tacho_load::recorder::MOST_KINDS
    )]
    KindNotKept {
        /// The name.
        word: String,
    },
    /// The run has no such phase.
    #[error("the run has no phase `{word}`{}", suggestion_or_all(nearest, known))]
    UnknownPhase {
        /// The word.
        word: String,
        /// The nearest right ones.
        nearest: Vec<String>,
        /// All right ones.
        known: Vec<String>,
    },
    /// No number behind the operator.
    #[error("a number is missing here, as in `p99<50ms`")]
    NoNumber,
    /// A unit that does not belong to the metric, or none.
    #[error("`{metric}` needs a unit: {expected}")]
    WrongUnit {
        /// The metric.
        metric: String,
        /// The right units.
        expected: &'static str,
    },
    /// `errors<0.01` could mean a share; it is not guessed.
    #[error(
        "`{found}` errors cannot be counted: write a whole number, or a share such as `{percent}%`"
    )]
    FractionOfErrors {
        /// The number.
        found: String,
        /// The same as per cent.
        percent: String,
    },
    /// Something behind the bound that is no window.
    #[error("`{found}` is not understood here; a window is written `over every 10s`")]
    NoWindow {
        /// What stands there.
        found: String,
    },
    /// A window of half a second, of 10 parsecs, or of nothing.
    #[error(
        "`{found}` is no length of a window: write whole seconds or minutes, as in `over every 10s` or `over every 2min`"
    )]
    WindowLength {
        /// What stands there.
        found: String,
    },
}

impl Check {
    /// Reads a check.
    ///
    /// # Errors
    /// With the place and what to write instead.
    pub fn parse(text: &str) -> Result<Self, CheckError> {
        parse::parse(text)
    }

    /// Whether the phase and the kind of request that it names are those of the run, to be asked before anything
    /// is sent. Without `requests` it is not known which will come.
    ///
    /// # Errors
    /// With the place and the nearest right name.
    pub fn fits(&self, phases: &[String], requests: Option<&[String]>) -> Result<(), CheckError> {
        parse::fits(self, phases, requests)
    }
}

//! Objectives such as `p99<50ms`, and whether a load run meets them.
//!
//! ```text
//! check  = [ phase "." ] metric [ "of" kind ] op quantity [ "over" ( "every" | "any" ) length ]
//! metric = [ "service-" | "dispatch-" | "lag-" ] ( "p" number | "min" | "mean" | "max" )
//!        | "rate" | "errors"
//! ```
//! They are written as all objectives are ([`tacho_quantity::Objective`]); this module knows what a
//! load records.
//!
//! `p99<50ms`, `p99.9 of login < 200ms`, `rate>1900/s`, `errors<1%` (a share), `errors<=3` (a
//! count), `dispatch-p99.9<1ms`, `ramp.max<1s`, `p99<50ms over every 10s`.
//!
//! Times without a prefix are response times of requests that succeeded. `rate` counts successful
//! requests per second: a failed request does not count. Without a phase, a check covers the whole
//! run.
//!
//! With `over every 10s`, the check has to hold in each window of ten seconds. A window begins at
//! each second of a phase from which it still fits into the phase; a shorter phase is one window.
//! `any` means the same as `every`. The histograms of a window are merged, and the check is
//! evaluated on the result. A window in which no request ended has no times to judge, but a rate of
//! 0.

mod evaluate;
mod parse;
#[cfg(test)]
mod tests;
mod window;

pub use evaluate::Evaluator;

use tacho_quantity::{
    Bound, Misread, ObjectiveProblem, Operator, Statistic, Time, objectives, suggestion_or_all,
};

/// An objective of a load run, such as `p99<50ms over every 10s`.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// As the user wrote it.
    pub text: String,
    phase: Option<String>,
    metric: Metric,
    kind: Option<String>,
    operator: Operator,
    bound: Bound,
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

/// Why a check cannot be read, with the place.
pub type CheckError = Misread<CheckProblem>;

/// What is wrong with a check, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckProblem {
    /// It is not a valid objective.
    #[error(transparent)]
    Unreadable(ObjectiveProblem),
    /// The check names cells, but a load run has only one subject.
    #[error(
        "a load has no variants, limits or cells: leave `{word}` out; `tacho run` compares these"
    )]
    NoCells {
        /// The cells as they were written.
        word: String,
    },
    /// A word that is no metric.
    #[error("`{word}` is no metric{}", suggestion_or_all(nearest, &parse::metrics()))]
    UnknownMetric {
        /// The metric as it was written.
        word: String,
        /// The nearest right ones.
        nearest: Vec<String>,
    },
    /// Lateness belongs to the generator and is not recorded by kind of request.
    #[error("`{metric}` is recorded for all requests together: write it without `of {kind}`")]
    NotByKind {
        /// The metric as it was written.
        metric: String,
        /// The kind of request as it was written.
        kind: String,
    },
    /// The mix has no such request.
    #[error("no request is called `{word}`{}", suggestion_or_all(nearest, known))]
    UnknownKind {
        /// The kind of request as it was written.
        word: String,
        /// The nearest right ones.
        nearest: Vec<String>,
        /// All right ones.
        known: Vec<String>,
    },
    /// The kind is beyond the limit on the number of kinds that are kept apart.
    #[error(
        "`{word}` is counted together with others: only the first {} requests of a mix have histograms of their own; put it among them",
        tacho_load::recorder::MOST_KINDS
    )]
    KindNotKept {
        /// The kind of request as it was written.
        word: String,
    },
    /// The run has no such phase.
    #[error("the run has no phase `{word}`{}", suggestion_or_all(nearest, known))]
    UnknownPhase {
        /// The phase as it was written.
        word: String,
        /// The nearest right ones.
        nearest: Vec<String>,
        /// All right ones.
        known: Vec<String>,
    },
}

impl Check {
    /// Reads checks with commas between them.
    ///
    /// # Errors
    /// As [`Check::parse`], of the first that cannot be read.
    pub fn parse_list(list: &str) -> Result<Vec<Self>, CheckError> {
        objectives(list).map(Self::parse).collect()
    }
}

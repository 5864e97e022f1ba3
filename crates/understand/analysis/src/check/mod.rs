//! Objectives such as `p99<50ms`, and whether the cells of a run meet them.
//!
//! ```text
//! check  = [ cells ":" ] [ phase "." ] metric op quantity [ "@" cells ]
//! cells  = the name of a variant, of limits, or of one cell; without it: all cells
//! ```
//! `p99<50ms`, `open.p99<50ms`, `ready<2s`, `peak_rss<=256MiB`, `throughput>1000/s`, `errors<1%`,
//! `jar: p99.9<1s`, `first_request<100ms@aot`. They are written as all objectives are
//! ([`tacho_quantity::Objective`]); this module knows the metrics of a run, and that its launches
//! tell neither requests nor windows apart.
//!
//! A check holds for a cell when the *median over its valid launches* meets it. The launch is the
//! unit of replication: a single slow launch is scatter, and must not fail a build; requests of
//! different launches are never pooled. The interval plays no part: an objective is a promise about
//! the service, not a comparison. A cell without a valid value has not passed.
//!
//! A phase's metric without a phase means: `throughput` the last closed phase (an open one has the
//! rate that it was given), the others the last open phase, since only there response times are
//! those of users who do not wait for one another; either falls back to the last loaded phase.
//! `errors` means each loaded phase.

mod evaluate;
mod parse;

pub use evaluate::evaluate;

use crate::metric::Row;
use tacho_quantity::{
    Bound, Misread, ObjectiveProblem, Operator, objectives, suggestion, suggestion_or_all,
};
use tacho_run_folder::Plan;

/// An objective of a run, such as `jar: open.p99<50ms`.
#[derive(Debug, Clone)]
pub struct Check {
    /// As the user wrote it.
    pub text: String,
    cells: Option<String>,
    phase: Option<String>,
    row: &'static Row,
    operator: Operator,
    bound: Bound,
}

/// Why a check cannot be read. The text shows the place.
pub type CheckError = Misread<CheckProblem>;

/// What is wrong with a check.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckProblem {
    /// It is no objective.
    #[error(transparent)]
    Unreadable(ObjectiveProblem),
    /// A word that is no metric.
    #[error("`{word}` is no metric{}", suggestion(nearest))]
    UnknownMetric {
        /// The metric as it was written.
        word: String,
        /// The nearest right ones.
        nearest: Vec<String>,
    },
    /// Launches do not tell the requests of a mix apart.
    #[error(
        "launches record all requests together: write it without `of {request}`, or use `tacho load`, which records each kind separately"
    )]
    NotByRequest {
        /// The request as it was written.
        request: String,
    },
    /// Launches do not tell the seconds of a phase apart.
    #[error(
        "launches are judged by whole phases: write it without `over every`, or use `tacho load`, which supports windows"
    )]
    NoWindows,
    /// Launches send as many requests as they come to; three errors mean something else in each.
    #[error("`{found}` counts requests; write a share of them, as in `errors<1%`")]
    CountOfErrors {
        /// The bound as it was written.
        found: String,
    },
    /// A phase before a metric of the whole launch.
    #[error("`{metric}` belongs to the whole launch, not to a phase: write it without `{phase}.`")]
    NotOfAPhase {
        /// The metric as it was written.
        metric: String,
        /// The phase as it was written.
        phase: String,
    },
    /// The plan has no such phase.
    #[error(
        "the experiment has no loaded phase `{word}`{}",
        suggestion_or_all(nearest, known)
    )]
    UnknownPhase {
        /// The phase as it was written.
        word: String,
        /// The nearest right ones.
        nearest: Vec<String>,
        /// All right ones.
        known: Vec<String>,
    },
    /// The plan has nothing of that name.
    #[error(
        "`{word}` names no variant, limits or cell{}",
        suggestion_or_all(nearest, known)
    )]
    UnknownCells {
        /// The cells as they were written.
        word: String,
        /// The nearest right ones.
        nearest: Vec<String>,
        /// All right ones.
        known: Vec<String>,
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

    /// Reads checks with commas between them.
    ///
    /// # Errors
    /// As [`Check::parse`], of the first that cannot be read.
    pub fn parse_list(list: &str) -> Result<Vec<Self>, CheckError> {
        objectives(list).map(Self::parse).collect()
    }

    /// Whether the phases and cells that it names are those of a plan, to be asked before anything
    /// is started.
    ///
    /// # Errors
    /// With the place and the nearest right name.
    pub fn fits(&self, plan: &Plan) -> Result<(), CheckError> {
        parse::fits(self, plan)
    }

    fn selects(&self, cell: &tacho_run_folder::Cell) -> bool {
        self.cells
            .as_ref()
            .is_none_or(|name| [&cell.id, &cell.variant, &cell.limits.name].contains(&name))
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

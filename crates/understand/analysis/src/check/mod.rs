//! Objectives such as `p99<50ms`, and whether the cells of a run meet them.
//!
//! ```text
//! check  = [ cells ":" ] [ phase "." ] metric op number unit [ "@" cells ]
//! op     = "<" | "<=" | ">" | ">="
//! cells  = the name of a variant, of limits, or of one cell; without it: all cells
//! ```
//! `p99<50ms`, `open.p99<50ms`, `ready<2s`, `peak_rss<=256MiB`, `throughput>1000/s`, `errors<1%`,
//! `jar: p99.9<1s`, `first_request<100ms@aot`.
//!
//! A check holds for a cell when the *median over its valid launches* meets it. The launch is the unit of
//! replication: a single slow launch is scatter, and must not fail a build; requests of different launches are never
//! pooled. The interval plays no part: an objective is a promise about the service, not a comparison. A cell without a
//! valid value has not passed.
//!
//! A phase's metric without a phase means: `throughput` the last closed phase (an open one has the rate that it
//! was given), the others the last open phase, since only there response times are those of users who do not
//! wait for one another; either falls back to the last loaded phase. `errors` means each loaded phase.

mod comparison;
mod evaluate;
mod parse;
mod part;
mod unit;

pub use comparison::{Comparison, Written, digits_end, phases_and_metrics};
pub use evaluate::{evaluate, evaluate_alone};
pub use part::{Misread, Part, nearest};
pub use unit::{RATES, TIMES, Unit};

use crate::metric::Row;
use tacho_run_folder::Plan;
use unit::Quantity;

/// An objective.
#[derive(Debug, Clone)]
pub struct Check {
    /// As the user wrote it.
    pub text: String,
    cells: Option<String>,
    phase: Option<String>,
    row: &'static Row,
    operator: Operator,
    bound: Quantity,
}

/// How a value and a bound are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Operator {
    /// The operator at the beginning of a text that begins with `<` or `>`, and its length.
    #[must_use]
    pub fn read(text: &str) -> (Self, usize) {
        match text.as_bytes() {
            [b'<', b'=', ..] => (Self::LessOrEqual, 2),
            [b'>', b'=', ..] => (Self::GreaterOrEqual, 2),
            [b'<', ..] => (Self::Less, 1),
            _ => (Self::Greater, 1),
        }
    }

    /// Less is asked for.
    #[must_use]
    pub fn asks_for_less(self) -> bool {
        matches!(self, Self::Less | Self::LessOrEqual)
    }

    /// `value operator bound`
    #[must_use]
    pub fn holds(self, value: f64, bound: f64) -> bool {
        match self {
            Self::Less => value < bound,
            Self::LessOrEqual => value <= bound,
            Self::Greater => value > bound,
            Self::GreaterOrEqual => value >= bound,
        }
    }
}

/// Why a check cannot be read. The text shows the place.
pub type CheckError = Misread<CheckProblem>;

/// What is wrong with a check.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckProblem {
    /// Neither `<` nor `>`.
    #[error("a check compares, as in `p99<50ms`: write <, <=, > or >=")]
    NoOperator,
    /// Nothing before the operator.
    #[error("the metric is missing, as in `p99<50ms`")]
    NoMetric,
    /// A word that is no metric.
    #[error("`{word}` is no metric{}", suggestion(nearest))]
    UnknownMetric {
        /// The word.
        word: String,
        /// The nearest right ones.
        nearest: Vec<String>,
    },
    /// A phase before a metric of the whole launch.
    #[error("`{metric}` belongs to the whole launch, not to a phase: write it without `{phase}.`")]
    NotOfAPhase {
        /// The metric.
        metric: String,
        /// The phase.
        phase: String,
    },
    /// The plan has no such phase.
    #[error(
        "the experiment has no loaded phase `{word}`{}",
        suggestion_or_all(nearest, known)
    )]
    UnknownPhase {
        /// The word.
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
        /// The word.
        word: String,
        /// The nearest right ones.
        nearest: Vec<String>,
        /// All right ones.
        known: Vec<String>,
    },
    /// Nothing before `:` or behind `@`.
    #[error("the name of a variant, of limits or of a cell is missing here")]
    NoCells,
    /// No number behind the operator.
    #[error("a number is missing here, as in `p99<50ms`")]
    NoNumber,
    /// A unit that does not belong to the metric, or none.
    #[error("`{metric}` needs {}{}", units(expected), written(found))]
    WrongUnit {
        /// The metric.
        metric: String,
        /// What was written.
        found: String,
        /// The right units.
        expected: Vec<String>,
    },
}

/// `; did you mean ...?`
#[must_use]
pub fn suggestion(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        words => format!("; did you mean {}?", one_of(words)),
    }
}

/// The same, or everything there is when nothing is near.
#[must_use]
pub fn suggestion_or_all(nearest: &[String], known: &[String]) -> String {
    if nearest.is_empty() && !known.is_empty() {
        return format!("; known: {}", one_of(known));
    }
    suggestion(nearest)
}

fn units(expected: &[String]) -> String {
    let named: Vec<String> = expected.iter().filter(|u| !u.is_empty()).cloned().collect();
    if named.is_empty() {
        return "no unit".to_owned();
    }
    if named.len() < expected.len() {
        return format!("no unit or {}", one_of(&named));
    }
    format!("a unit: {}", one_of(&named))
}

fn written(found: &str) -> String {
    if found.is_empty() {
        return String::new();
    }
    format!(", not `{found}`")
}

fn one_of(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|w| format!("`{w}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

impl Check {
    /// Reads a check.
    ///
    /// # Errors
    /// With the place and what to write instead.
    pub fn parse(text: &str) -> Result<Self, CheckError> {
        parse::parse(text)
    }

    /// Whether the phases and cells that it names are those of a plan, to be asked before anything is started.
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

//! The analysis: pure functions from what a run recorded to what it means.
//!
//! ```text
//! RunData -> metric      scalar values of each completed launch
//!         -> told_apart  which differences are more than chance, over all that is compared
//!         -> verdict     better, worse, same, inconclusive
//!         -> cost        cumulative cost over requests served
//!         -> break_even  where one variant's cost passes another's
//!         -> check       objectives such as p99<50ms
//!         -> certificate whether the numbers may be believed
//!         -> advice      what to do
//!         -> memory      patterns of memory over time
//!         -> two_runs    two of them laid beside each other
//! ```
//! Numbers are judged by `tacho-statistics`: intervals, chance, trends, steady state.
//!
//! No clock, no file, no socket: the same run gives the same results, years later and on another
//! machine.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod advice;
pub mod break_even;
pub mod cell;
pub mod certificate;
pub mod check;
pub mod cost;
pub mod memory;
pub mod metric;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;
pub mod told_apart;
pub mod two_runs;
pub mod verdict;
pub mod warm_up;

use tacho_run_folder::{CellResult, FORMAT, Results, RunData};

/// The whole analysis of a run.
#[must_use]
pub fn analyse(run: &RunData) -> Results {
    let costs = cost::cell_costs(run);
    let counts = cost::request_counts(&costs);
    let measured = cell::Measured::of(run);
    let criteria = advice::Criteria::of(&measured);
    let told_apart = told_apart::told_apart(&measured, &costs, &criteria);
    let cells = cell::cells(&measured, &told_apart, &costs, &counts);
    let break_evens = break_even::break_evens(&costs, &run.plan, &told_apart);
    let checks = check::evaluate(&run.plan, &cells);
    let certificate =
        certificate::certificate(run).and(certificate::told_of_itself(&run.plan, &cells));
    let warm_up = warm_up::sweep(run);
    let advice = advice::advise(&advice::Grounds {
        plan: &run.plan,
        cells: &originals(run, &cells),
        criteria: &criteria,
        told_apart: &told_apart,
        break_evens: &break_evens,
        checks: &checks,
        certificate: &certificate,
        warm_up: warm_up.as_ref(),
    });
    Results {
        format: FORMAT,
        cells,
        break_evens,
        checks,
        certificate,
        advice,
        warm_up,
    }
}

/// Whether more launches would change the advice, after so many of each cell; why, where they would
/// not.
#[must_use]
pub fn enough(run: &RunData, after: u32) -> Option<advice::Enough> {
    let costs = cost::cell_costs(run);
    let measured = cell::Measured::of(run);
    let criteria = advice::Criteria::of(&measured);
    let told_apart = told_apart::told_apart(&measured, &costs, &criteria);
    let cells = cell::cells(&measured, &told_apart, &costs, &[]);
    let grounds = advice::Grounds {
        plan: &run.plan,
        cells: &originals(run, &cells),
        criteria: &criteria,
        told_apart: &told_apart,
        break_evens: &[],
        checks: &check::evaluate(&run.plan, &cells),
        certificate: &certificate::certificate(run),
        warm_up: None,
    };
    advice::enough(&grounds, after)
}

/// What may be advised: all but a copy of the baseline.
fn originals(run: &RunData, cells: &[CellResult]) -> Vec<CellResult> {
    let is_original = |cell: &&CellResult| !run.plan.is_copy(&cell.variant);
    cells.iter().filter(is_original).cloned().collect()
}

/// Each name a single time, in the order in which they come.
fn distinct<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut distinct = Vec::new();
    for name in names {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    distinct
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

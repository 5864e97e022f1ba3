//! Cells without a valid launch, and the last log lines of their first failed launch. This is what
//! a user who has such a cell needs to see first.

use serde::Serialize;
use std::path::PathBuf;
use tacho_run_folder::{LaunchOutcome, Results, RunData};

/// Lines of its log that are shown.
const LINES: usize = 20;

/// A cell without a valid launch, described by its first failed launch.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FailedCell<'a> {
    /// The cell, by its `id` in the plan.
    pub cell: &'a str,
    /// Why the launch failed.
    pub why: &'a str,
    /// The last lines of its log.
    pub lines: &'a [String],
    /// The log, below the run's folder.
    pub log: PathBuf,
}

/// The failed cells of a run, in the order of the plan. A failed launch that logged nothing is
/// skipped.
#[must_use]
pub fn failed_cells<'a>(run: &'a RunData, results: &Results) -> Vec<FailedCell<'a>> {
    let without_any = results.cells.iter().filter(|cell| cell.valid == 0);
    let first_failed = |id: &str| {
        let launches = run.launches.iter().map(|launch| &launch.record);
        launches
            .filter(|record| record.cell == id)
            .find_map(|record| match &record.outcome {
                LaunchOutcome::Failed {
                    message,
                    last_log_lines,
                    ..
                } if !last_log_lines.is_empty() => Some(FailedCell {
                    cell: &record.cell,
                    why: message,
                    lines: &last_log_lines[last_log_lines.len().saturating_sub(LINES)..],
                    log: tacho_run_folder::log_of(record.number, &record.cell),
                }),
                _ => None,
            })
    };
    without_any
        .filter_map(|cell| first_failed(&cell.cell))
        .collect()
}

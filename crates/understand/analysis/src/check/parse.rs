//! Reading a check, with the place of every mistake.

use super::{Check, CheckError, CheckProblem};
use crate::distinct;
use crate::metric::{Row, loaded_phases, row_of_word, rows};
use tacho_quantity::{
    Bound, Dimension, Errors, Metric, Misread, Objective, ObjectiveProblem, Part, nearest,
};
use tacho_run_folder::Plan;

pub fn parse(text: &str) -> Result<Check, CheckError> {
    let read: Objective = text.parse().map_err(unreadable)?;
    let row = row(&read)?;
    if let Some(request) = read.request() {
        return Err(request.error(CheckProblem::NotByRequest {
            request: request.text().to_owned(),
        }));
    }
    if read.window.is_some() {
        return Err(read.whole().error(CheckProblem::NoWindows));
    }
    let owned = |part: Option<Part<'_>>| part.map(|part| part.text().to_owned());
    Ok(Check {
        text: text.to_owned(),
        cells: owned(read.cells()),
        phase: owned(read.phase()),
        row,
        operator: read.operator,
        bound: bound(&read, row)?,
    })
}

fn unreadable(error: Misread<ObjectiveProblem>) -> CheckError {
    error.map(CheckProblem::Unreadable)
}

/// `p99` by its word, `response-p99` and `rate` by what they mean.
fn row(read: &Objective) -> Result<&'static Row, CheckError> {
    let word = read.word();
    let plain = word.text().replace('-', "_");
    let plain = plain.strip_prefix("response_").unwrap_or(&plain);
    let named = match read.metric {
        Metric::Rate => row_of_word("throughput"),
        _ => row_of_word(plain),
    };
    let row = named.ok_or_else(|| {
        word.error(CheckProblem::UnknownMetric {
            word: word.text().to_owned(),
            nearest: nearest(word.text(), rows().map(|row| row.word)),
        })
    })?;
    match read.phase() {
        Some(phase) if !row.source.is_of_phase() => Err(phase.error(CheckProblem::NotOfAPhase {
            metric: row.word.to_owned(),
            phase: phase.text().to_owned(),
        })),
        _ => Ok(row),
    }
}

fn bound(read: &Objective, row: &Row) -> Result<Bound, CheckError> {
    let dimension = match row.unit {
        "ms" | "s" | "cpu-s" => Dimension::Duration,
        "bytes" => Dimension::Size,
        "1/s" => Dimension::Rate,
        _ if row.id.ends_with("_share") => Dimension::Share,
        _ => Dimension::Count,
    };
    if read.metric == Metric::Errors
        && let Errors::Count(count) = read.errors().map_err(unreadable)?
        && count > 0.0
    {
        let found = read.bound_as_written();
        return Err(found.error(CheckProblem::CountOfErrors {
            found: found.text().to_owned(),
        }));
    }
    read.bound(dimension).map_err(unreadable)
}

/// Names of phases and cells can only be looked up once there is a plan.
pub fn fits(check: &Check, plan: &Plan) -> Result<(), CheckError> {
    let place_of = |word: &str| Part::word(&check.text, word);
    if let Some(phase) = &check.phase
        && !loaded_phases(plan).any(|label| label == phase)
    {
        return Err(place_of(phase).error(CheckProblem::UnknownPhase {
            word: phase.clone(),
            nearest: nearest(phase, loaded_phases(plan)),
            known: loaded_phases(plan).map(str::to_owned).collect(),
        }));
    }
    if let Some(cells) = &check.cells
        && !plan.cells.iter().any(|cell| check.selects(cell))
    {
        let known = names_of_cells(plan);
        return Err(place_of(cells).error(CheckProblem::UnknownCells {
            word: cells.clone(),
            nearest: nearest(cells, known.iter().copied()),
            known: known.iter().map(|name| (*name).to_owned()).collect(),
        }));
    }
    Ok(())
}

/// Variants, limits and cells, each name a single time.
fn names_of_cells(plan: &Plan) -> Vec<&str> {
    let variants = plan.cells.iter().map(|c| c.variant.as_str());
    let limits = plan.cells.iter().map(|c| c.limits.name.as_str());
    let ids = plan.cells.iter().map(|c| c.id.as_str());
    distinct(variants.chain(limits).chain(ids))
}

//! Reading a check, with the place of every mistake.

use super::comparison::{Comparison, Written, phases_and_metrics};
use super::part::{Part, nearest};
use super::unit::{Quantity, Unit, units_for};
use super::{Check, CheckError, CheckProblem};
use crate::metric::{Row, Source, loaded_phases, row_of_word, rows};
use tacho_run_folder::Plan;

pub fn parse(text: &str) -> Result<Check, CheckError> {
    let Comparison {
        left,
        operator,
        right,
    } = Comparison::of(text).map_err(|all| all.error(CheckProblem::NoOperator))?;
    let (cells_before, left) = match left.text().rfind(':') {
        Some(at) => {
            let (cells, left) = left.split(at, 1);
            (Some(named(cells)?), left)
        }
        None => (None, left),
    };
    let (right, cells_behind) = match right.text().find('@') {
        Some(at) => {
            let (right, cells) = right.split(at, 1);
            (right, Some(named(cells)?))
        }
        None => (right, None),
    };
    let (phase, row) = metric(left)?;
    Ok(Check {
        text: text.to_owned(),
        cells: cells_behind.or(cells_before),
        phase,
        row,
        operator,
        bound: quantity(right, row)?,
    })
}

fn named(cells: Part<'_>) -> Result<String, CheckError> {
    if cells.text().is_empty() {
        return Err(cells.error(CheckProblem::NoCells));
    }
    Ok(cells.text().to_owned())
}

/// `p99`, `open.p99`, `open.p99.9`, and phases with points in their own names.
fn metric(left: Part<'_>) -> Result<(Option<String>, &'static Row), CheckError> {
    let text = left.text();
    if text.is_empty() {
        return Err(left.error(CheckProblem::NoMetric));
    }
    if let Some(row) = row_of_word(text) {
        return Ok((None, row));
    }
    let behind_a_point = phases_and_metrics(left).find_map(|(phase, word)| {
        let row = row_of_word(word.text())?;
        Some((phase, row))
    });
    let Some((phase, row)) = behind_a_point else {
        let word = match text.find('.') {
            Some(at) => left.split(at, 1).1,
            None => left,
        };
        return Err(word.error(CheckProblem::UnknownMetric {
            word: word.text().to_owned(),
            nearest: nearest(word.text(), rows().map(|row| row.word)),
        }));
    };
    if !matches!(row.source, Source::Phase(_)) {
        return Err(phase.error(CheckProblem::NotOfAPhase {
            metric: row.word.to_owned(),
            phase: phase.text().to_owned(),
        }));
    }
    Ok((Some(phase.text().to_owned()), row))
}

fn quantity(right: Part<'_>, row: &'static Row) -> Result<Quantity, CheckError> {
    let Written { value, unit, .. } =
        Written::of(right).map_err(|number| number.error(CheckProblem::NoNumber))?;
    let units = units_for(row);
    match units.iter().find(|u| u.name == unit.text()) {
        Some(unit) => Ok(Quantity {
            number: value,
            unit,
        }),
        None => Err(wrong_unit(unit, row, units)),
    }
}

fn wrong_unit(unit: Part<'_>, row: &Row, units: &[Unit]) -> CheckError {
    let names = units.iter().map(|u| u.name);
    let near = nearest(unit.text(), names.clone());
    unit.error(CheckProblem::WrongUnit {
        metric: row.word.to_owned(),
        found: unit.text().to_owned(),
        expected: if near.is_empty() || unit.text().is_empty() {
            names.filter(|u| *u != "µs").map(str::to_owned).collect()
        } else {
            near
        },
    })
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
    let mut names = Vec::new();
    for name in variants.chain(limits).chain(ids) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

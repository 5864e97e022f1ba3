//! vegeta's targets, as its README describes them: text or a JSON object a line.

mod json;
mod lines;
mod target;
mod targets;
mod text;

pub(crate) use target::says_what_is_sent;
pub use target::{Target, TargetError, TargetProblem};
pub use targets::{TargetSyntax, Targets};

use crate::allowance::Allowance;
use crate::error::ImportError;
use crate::imported::Imported;
use crate::note::Notes;
use crate::origin::OneOrigin;
use std::path::Path;
use tacho_workload::{Scenario, Workload};

/// Reads all targets of an input.
pub(crate) fn read(
    syntax: TargetSyntax,
    input: &[u8],
    base_dir: &Path,
) -> Result<Imported, ImportError> {
    // The text is checked here, so that a wrong format is not told as a wrong first line.
    let text = crate::error::text(input, crate::MAX_INPUT_BYTES)?;
    let mut origins = OneOrigin::default();
    let mut notes = Notes::default();
    let mut allowance = Allowance::default();
    let mut scenarios = Vec::new();
    for target in Targets::new(text.as_bytes(), syntax, base_dir) {
        let target = target?;
        let place = format!("line {}", target.line);
        for field in &target.unknown {
            notes.add(
                "the targets",
                format!("vegeta has no field `{field}`; it is not used"),
            );
        }
        origins.add(target.origin.clone());
        let step = target.into_step();
        allowance.take_step(&step, place)?;
        scenarios.push(Scenario::of(step));
    }
    if scenarios.is_empty() {
        return Err(ImportError::Nothing {
            hint: match syntax {
                TargetSyntax::Text => "a target is a line such as `GET http://127.0.0.1:8080/path`",
                TargetSyntax::Json => {
                    "a target is a line such as {\"method\":\"GET\",\"url\":\"http://127.0.0.1:8080/path\"}"
                }
            },
        });
    }
    if scenarios.len() > 1 {
        notes.add(
            "the targets",
            "vegeta takes them in turn; Tacho draws among them, each equally often on average",
        );
    }
    Ok(Imported {
        origin: origins.finish()?,
        workload: Workload {
            scenarios,
            ..Workload::default()
        },
        notes: notes.finish(),
        ..Imported::default()
    })
}

#[cfg(test)]
mod tests;

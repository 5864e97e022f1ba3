//! Rules about launches and requests that did not come to what they should.

use super::bounds::{FAILED_DEGRADED, failed_invalid_above};
use super::{Reading, evidence, judge};
use crate::metric::loaded_phases;
use crate::metric::read::failed;
use crate::verdict::FEWEST_LAUNCHES;
use std::collections::BTreeMap;
use tacho_figures::{launches as count_of_launches, percent};
use tacho_run_folder::{
    Cell, CertificateState, Evidence, LaunchData, LaunchOutcome, PhaseRecord, RunData,
};

fn of_cell<'a>(run: &'a RunData, cell: &'a Cell) -> impl Iterator<Item = &'a LaunchData> {
    run.launches.iter().filter(|l| l.record.cell == cell.id)
}

fn valid_launches(run: &RunData, cell: &Cell) -> usize {
    of_cell(run, cell)
        .filter(|l| l.record.outcome == LaunchOutcome::Completed)
        .count()
}

/// Per phase over the launches of a cell, so that one failure among five cold requests is not a
/// fifth.
pub fn failed_requests(run: &RunData) -> Option<Evidence> {
    let mut readings = Vec::new();
    let mut all_failed = 0;
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for cell in &run.plan.cells {
        for label in loaded_phases(&run.plan) {
            let phases: Vec<(u32, &PhaseRecord)> = of_cell(run, cell)
                .filter(|l| l.record.outcome == LaunchOutcome::Completed)
                .flat_map(|l| l.record.phases.iter().map(|p| (l.record.number, p)))
                .filter(|(_, phase)| phase.label == label)
                .collect();
            let requests: u64 = phases.iter().map(|(_, p)| p.requests).sum();
            let failures: u64 = phases.iter().map(|(_, p)| failed(p)).sum();
            all_failed += failures;
            for (kind, errors) in phases.iter().flat_map(|(_, p)| &p.errors) {
                *kinds.entry(kind.name()).or_default() += errors.count;
            }
            let with_failures = phases.iter().filter(|(_, p)| failed(p) > 0);
            if requests > 0 {
                readings.push(Reading {
                    launches: with_failures.map(|(number, _)| *number).collect(),
                    place: format!("{}, {label}", cell.id),
                    value: failures as f64 / requests as f64,
                    degraded_above: FAILED_DEGRADED,
                    invalid_above: failed_invalid_above(requests),
                });
            }
        }
    }
    judge("failed-requests", &readings, |worst| {
        if all_failed == 0 {
            return format!("no request failed; bound {}", percent(FAILED_DEGRADED));
        }
        format!(
            "{} requests failed ({}), up to {} of a phase ({}); bound {}, invalid above {}",
            tacho_figures::count(all_failed),
            by_kind(&kinds),
            percent(worst.value),
            worst.place,
            percent(FAILED_DEGRADED),
            percent(worst.invalid_above),
        )
    })
}

/// Something went wrong with where the requests come from, or with what counts as their answers.
pub fn source(run: &RunData) -> Option<Evidence> {
    let troubled = run.launches.iter().filter_map(|launch| {
        // The trouble recorded with a phase includes that of the phases before it, so the last one
        // is enough.
        let phases = launch.record.phases.iter().rev();
        let last = phases
            .map(|phase| &phase.trouble)
            .find(|it| !it.is_empty())?;
        Some((launch.record.number, last.join("; ")))
    });
    let troubled: Vec<(u32, String)> = troubled.collect();
    let (first, text) = troubled.first()?;
    let others = match troubled.len() - 1 {
        0 => String::new(),
        1 => "; another launch likewise".to_owned(),
        n => format!("; {n} further launches likewise"),
    };
    evidence(
        "source",
        CertificateState::Degraded,
        format!("{text} (launch {first}{others})"),
        troubled.iter().map(|(number, _)| *number).collect(),
    )
}

/// `timeout 14, reset 2`: most of them first.
fn by_kind(kinds: &BTreeMap<&str, u64>) -> String {
    let mut kinds: Vec<(&str, u64)> = kinds.iter().map(|(kind, n)| (*kind, *n)).collect();
    kinds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let told = kinds
        .iter()
        .map(|(kind, count)| format!("{kind} {}", tacho_figures::count(*count)));
    told.collect::<Vec<_>>().join(", ")
}

fn by_outcome(
    run: &RunData,
    rule: &str,
    what: &str,
    is: impl Fn(&LaunchOutcome) -> bool,
) -> Option<Evidence> {
    by_launch(run, rule, what, |launch| is(&launch.record.outcome))
}

fn by_launch(
    run: &RunData,
    rule: &str,
    what: &str,
    is: impl Fn(&LaunchData) -> bool,
) -> Option<Evidence> {
    if run.launches.is_empty() {
        return None;
    }
    let having = |l: &&LaunchData| is(l);
    let numbers = run.launches.iter().filter(having).map(|l| l.record.number);
    let numbers: Vec<u32> = numbers.collect();
    // Those that have such launches and no valid one.
    let lost_cells = run
        .plan
        .cells
        .iter()
        .filter(|cell| of_cell(run, cell).any(&is) && valid_launches(run, cell) == 0);
    let lost_cells: Vec<&str> = lost_cells.map(|c| c.id.as_str()).collect();
    let state = if numbers.is_empty() {
        CertificateState::Valid
    } else if run
        .plan
        .cells
        .iter()
        .any(|cell| valid_launches(run, cell) > 0)
    {
        // A cell that is lost has no numbers that could mislead; the others stand on their own.
        CertificateState::Degraded
    } else {
        CertificateState::Invalid
    };
    let (count, of) = (numbers.len(), run.launches.len());
    let mut statement = format!("{count} of {} {what}; bound 0", count_of_launches(of));
    if !lost_cells.is_empty() {
        statement += &format!(", and no valid launch is left of {}", lost_cells.join(", "));
    }
    evidence(rule, state, statement, numbers)
}

/// A variant that sometimes fails to start is not the variant that was measured the other times.
pub fn failed_launches(run: &RunData) -> Option<Evidence> {
    by_outcome(run, "failed-launches", "failed", |o| {
        matches!(o, LaunchOutcome::Failed { .. })
    })
}

/// Launches that could not show that they are what they claim to be. Applied where a proof was
/// asked for.
pub fn missing_proofs(run: &RunData) -> Option<Evidence> {
    let is_invalid = |o: &LaunchOutcome| matches!(o, LaunchOutcome::Invalid { .. });
    let lacks = |l: &LaunchData| is_invalid(&l.record.outcome) && !has_lost_one(l);
    let asked = |l: &LaunchData| l.record.proof.is_some() || lacks(l);
    if !run.launches.iter().any(asked) {
        return None;
    }
    by_launch(run, "missing-proofs", "lack their proof", lacks)
}

/// A companion that the experiment starts ended while the subject needed it.
fn has_lost_one(launch: &LaunchData) -> bool {
    launch.record.companions.iter().any(|c| c.ended.is_some())
}

/// Launches that lost a companion, which are worth nothing. Applied where the experiment starts
/// any.
pub fn companions_lost(run: &RunData) -> Option<Evidence> {
    if run.launches.iter().all(|l| l.record.companions.is_empty()) {
        return None;
    }
    let mut judged = by_launch(
        run,
        "companions-lost",
        "lost a companion that they needed",
        has_lost_one,
    )?;
    let mut all = run.launches.iter().flat_map(|l| {
        let companions = l.record.companions.iter();
        companions.filter_map(|c| Some((l.record.number, &c.name, c.ended.as_ref()?)))
    });
    if let Some((launch, name, ended)) = all.next() {
        judged.statement += &format!(" (launch {launch}: {name} {ended})");
    }
    Some(judged)
}

/// Launches whose records cannot be read. The other launches are intact, but which ones are missing
/// may not be by chance. Applied where there are such launches.
pub fn damaged_launches(run: &RunData) -> Option<Evidence> {
    let (first, more) = (run.damaged.first()?, run.damaged.len() - 1);
    let statement = format!(
        "{}{} cannot be read and {} left out ({}); bound 0",
        first.folder,
        match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        },
        if more == 0 { "is" } else { "are" },
        first.why
    );
    evidence(
        "damaged-launches",
        CertificateState::Degraded,
        statement,
        Vec::new(),
    )
}

/// Intervals need launches; without a single valid one there are no numbers at all.
pub fn replication(run: &RunData) -> Option<Evidence> {
    let counted = run.plan.cells.iter().map(|c| (valid_launches(run, c), c));
    let (fewest, cell) = counted.min_by_key(|(count, _)| *count)?;
    let nothing = run.plan.cells.iter().all(|c| valid_launches(run, c) == 0);
    let state = if fewest < FEWEST_LAUNCHES {
        CertificateState::Degraded
    } else {
        CertificateState::Valid
    };
    let numbers = of_cell(run, cell).map(|l| l.record.number).collect();
    if nothing {
        let statement = match run.launches.len() {
            0 => "nothing was launched before the run ended".to_owned(),
            _ => format!("no launch of any cell was valid; bound {FEWEST_LAUNCHES} each"),
        };
        return evidence(
            "replication",
            CertificateState::Invalid,
            statement,
            Vec::new(),
        );
    }
    let statement = format!(
        "{} has {}, the fewest of all; bound {FEWEST_LAUNCHES}, below which there are no verdicts",
        cell.id,
        match fewest {
            1 => "1 valid launch".to_owned(),
            n => format!("{n} valid launches"),
        },
    );
    evidence("replication", state, statement, numbers)
}

/// The order of the launches is random, so that those that were made are a fair sample; there are
/// only fewer of them.
pub fn interrupted(run: &RunData) -> Option<Evidence> {
    let planned = run.plan.launches.len();
    let unfinished = |l: &&LaunchData| {
        let outcome = &l.record.outcome;
        matches!(outcome, LaunchOutcome::Running | LaunchOutcome::Interrupted)
    };
    let cut: Vec<u32> = run
        .launches
        .iter()
        .filter(unfinished)
        .map(|l| l.record.number)
        .collect();
    let done = run.launches.len() - cut.len();
    let short = run.header.interrupted || done < planned;
    let state = if short {
        CertificateState::Degraded
    } else {
        CertificateState::Valid
    };
    let statement = format!(
        "{done} of {} were carried through; bound: all{}",
        match planned {
            1 => "1 planned launch".to_owned(),
            n => format!("{n} planned launches"),
        },
        if run.header.interrupted {
            "; the user ended the run"
        } else {
            ""
        },
    );
    evidence("interrupted", state, statement, cut)
}

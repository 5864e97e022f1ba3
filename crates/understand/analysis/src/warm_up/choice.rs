//! The cheapest warm-up that is enough, in words. The price is the time until users may come:
//! requests to a pod that takes no traffic cost nobody anything else.

use crate::distinct;
use tacho_figures::{ms, number, percent};
use tacho_run_folder::{CellWarmUp, Plan, WarmUpChoice, WarmUpEnd, WarmingEnd};

/// Without an objective, a p99 that is at most this many times the best of all is as good as the
/// best.
const AS_GOOD: f64 = 1.3;
/// A p99 is one of those who were answered, and says nothing of more users than it leaves out.
const MOST_BADLY_SERVED: f64 = 0.01;

/// A warm-up to choose from.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'c> {
    pub cell: &'c CellWarmUp,
    /// The share of users whose request failed or, with an objective, took longer than that: the
    /// high end of its interval over launches.
    pub badly_served: f64,
}

impl Candidate<'_> {
    fn serves_well(&self) -> bool {
        self.badly_served <= MOST_BADLY_SERVED
    }

    /// Whether its warm-up failed in a launch: how its users were served then was not its doing.
    fn was_not_warmed(&self) -> bool {
        let failing = WarmUpEnd::Watched(WarmingEnd::Failing);
        self.cell.ends.iter().any(|(end, _)| *end == failing)
    }
}

/// One for each set of limits under which somebody was served, in the order of the plan.
pub fn choices(
    plan: &Plan,
    cells: &[Candidate<'_>],
    objective_ms: Option<f64>,
) -> Vec<WarmUpChoice> {
    distinct(plan.cells.iter().map(|c| c.limits.name.as_str()))
        .into_iter()
        .filter_map(|name| {
            let within = cells.iter().copied().filter(|c| c.cell.limits == name);
            let within: Vec<Candidate<'_>> = within.collect();
            let (cell, sentence) = choice(&within, &plan.baseline, objective_ms)?;
            Some(WarmUpChoice {
                limits: name.to_owned(),
                cell: cell.map(|cell| cell.cell.clone()),
                sentence,
            })
        })
        .collect()
}

fn p99(cell: &CellWarmUp) -> Option<f64> {
    cell.response.p99.map(|p99| p99.value)
}

fn price(cell: &CellWarmUp) -> f64 {
    cell.traffic_ms.map_or(f64::INFINITY, |ms| ms.value)
}

/// The one with the lowest p99, of those that serve their users well where any does.
fn lowest<'c>(candidates: &[Candidate<'c>]) -> Option<Candidate<'c>> {
    let known = || candidates.iter().filter(|one| p99(one.cell).is_some());
    let p99_ms = |one: &Candidate<'_>| p99(one.cell).unwrap_or(f64::INFINITY);
    let by_p99 = |a: &&Candidate<'c>, b: &&Candidate<'c>| p99_ms(a).total_cmp(&p99_ms(b));
    let serving = known().filter(|one| one.serves_well()).min_by(by_p99);
    serving.or_else(|| known().min_by(by_p99)).copied()
}

fn choice<'c>(
    candidates: &[Candidate<'c>],
    baseline: &str,
    objective_ms: Option<f64>,
) -> Option<(Option<&'c CellWarmUp>, String)> {
    let nearest = lowest(candidates)?;
    let best = p99(nearest.cell)?;
    // What only the luckier half of the launches meets is not met.
    let has_p99 = |cell: &CellWarmUp| match objective_ms {
        Some(objective) => cell.response.p99.is_some_and(|p99| p99.high <= objective),
        None => p99(cell).is_some_and(|p99| p99 <= best * AS_GOOD),
    };
    let bound = match objective_ms {
        Some(objective) => format!("keeps p99 within {}", ms(objective)),
        None => format!("comes within {AS_GOOD} x of the best p99 ({})", ms(best)),
    };
    let serving = candidates
        .iter()
        .filter(|one| one.serves_well() && !one.was_not_warmed());
    let enough = serving.map(|one| one.cell).filter(|cell| has_p99(cell));
    let cheapest = enough.min_by(|a, b| price(a).total_cmp(&price(b)));
    let Some(cheapest) = cheapest else {
        let but = match has_p99(nearest.cell) {
            true if nearest.was_not_warmed() => ", but its warm-up failed".to_owned(),
            true => but_badly(&nearest, objective_ms),
            false => String::new(),
        };
        return Some((
            None,
            format!(
                "No warm-up {bound} in every launch; {} comes nearest with a p99 of {}{but}.",
                nearest.cell.variant,
                ms(best)
            ),
        ));
    };
    let before = candidates
        .iter()
        .map(|one| one.cell)
        .find(|cell| cell.variant == baseline)
        .and_then(|cell| Some((p99(cell)?, cell)));
    let mut sentence = format!(
        "{} is the cheapest that {bound}: p99 {} and ready for users after {}",
        cheapest.variant,
        ms(p99(cheapest)?),
        ms(price(cheapest))
    );
    if let Some(requests) = cheapest.requests.filter(|requests| requests.value > 0.0) {
        sentence += &format!(" and {} warm-up requests", number(requests.value));
    }
    if let Some((p99_ms, other)) = before.filter(|(_, other)| other.cell != cheapest.cell) {
        sentence += &format!(
            "; {} has a p99 of {} and is ready after {}",
            other.variant,
            ms(p99_ms),
            ms(price(other))
        );
    }
    Some((Some(cheapest), sentence + "."))
}

/// What a p99 does not show.
fn but_badly(one: &Candidate<'_>, objective_ms: Option<f64>) -> String {
    let how = match objective_ms {
        Some(_) => "failed or took longer",
        None => "failed",
    };
    let share = percent(one.badly_served);
    format!(", but the requests of up to {share} of its users {how}")
}

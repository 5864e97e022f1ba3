//! The cheapest warm-up that is enough, in words. The price is the time until users may come:
//! requests to a pod that takes no traffic cost nobody anything else.

use crate::distinct;
use tacho_figures::{ms, number};
use tacho_run_folder::{CellWarmUp, Plan, WarmUpChoice};

/// Without an objective, a p99 that is at most this many times the best of all is as good as the
/// best.
const AS_GOOD: f64 = 1.3;

/// One for each set of limits under which somebody was served, in the order of the plan.
pub fn choices(plan: &Plan, cells: &[CellWarmUp], objective_ms: Option<f64>) -> Vec<WarmUpChoice> {
    distinct(plan.cells.iter().map(|c| c.limits.name.as_str()))
        .into_iter()
        .filter_map(|name| {
            let within: Vec<&CellWarmUp> = cells.iter().filter(|c| c.limits == name).collect();
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

fn choice<'c>(
    cells: &[&'c CellWarmUp],
    baseline: &str,
    objective_ms: Option<f64>,
) -> Option<(Option<&'c CellWarmUp>, String)> {
    let best = cells
        .iter()
        .filter_map(|cell| p99(cell))
        .min_by(f64::total_cmp)?;
    // What only the luckier half of the launches meets is not met.
    let is_enough = |cell: &&&CellWarmUp| match objective_ms {
        Some(objective) => cell.response.p99.is_some_and(|p99| p99.high <= objective),
        None => p99(cell).is_some_and(|p99| p99 <= best * AS_GOOD),
    };
    let bound = match objective_ms {
        Some(objective) => format!("keeps p99 within {}", ms(objective)),
        None => format!("comes within {AS_GOOD} x of the best p99 ({})", ms(best)),
    };
    let cheapest = cells
        .iter()
        .filter(is_enough)
        .min_by(|a, b| price(a).total_cmp(&price(b)));
    let Some(cheapest) = cheapest else {
        let nearest = cells.iter().filter(|c| p99(c).is_some()).min_by(|a, b| {
            p99(a)
                .unwrap_or(f64::INFINITY)
                .total_cmp(&p99(b).unwrap_or(f64::INFINITY))
        })?;
        return Some((
            None,
            format!(
                "No warm-up {bound} in every launch; {} comes nearest with a p99 of {}.",
                nearest.variant,
                ms(p99(nearest)?)
            ),
        ));
    };
    let before = cells
        .iter()
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

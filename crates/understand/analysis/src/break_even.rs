//! Break-even: the number of requests at which one variant's total cost passes another's.
//!
//! For each set of limits and each cost the list holds the baseline against each other variant, and
//! those neighbours on the lower envelope (the cheapest variant for each number of requests) that
//! are not in it yet. That answers both "does leaving the baseline pay" and "which one is cheapest
//! for which lifetime", without the square of all pairs.
//!
//! A break-even is claimed only where both sides of it were told apart ([`crate::told_apart`]): one
//! variant is cheaper for an instance that serves a single request, the other for one that serves
//! as many as were measured. Where the same one is cheaper at both it is cheaper throughout. All
//! else is left out: two curves that wind about each other in the noise have no break-even, and
//! nothing is claimed beyond what was measured, where a cost a request may still be falling.
//!
//! The crossing is the last number of requests at which the one that is costlier in the end was
//! still the cheaper one, on the curves of medians over launches. Its 95 % interval comes from
//! 1,000 resamplings of the launches of both.

use crate::cost::{CellCost, CostCurve};
use crate::distinct;
use crate::told_apart::{Lifetime, Quantity, ToldApart};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cmp::Ordering;
use tacho_run_folder::{BreakEven, CostKind, Interval, Plan};
use tacho_statistics::bootstrap::{median_of_sorted, percentile_interval, seed_for};

/// Resamplings of the launches.
const RESAMPLES: usize = 1000;
/// Points of the curves in each decade of requests; between them the curves are taken as straight.
const POINTS_PER_DECADE: i32 = 12;

/// The break-evens of a run.
#[must_use]
pub fn break_evens(costs: &[CellCost], plan: &Plan, told_apart: &ToldApart) -> Vec<BreakEven> {
    let kinds = [CostKind::Cpu, CostKind::Waiting];
    distinct(costs.iter().map(|c| c.limits.as_str()))
        .into_iter()
        .flat_map(|limits| kinds.map(|kind| (limits, kind)))
        .flat_map(|(limits, kind)| within_limits(costs, plan, told_apart, limits, kind))
        .collect()
}

fn within_limits(
    costs: &[CellCost],
    plan: &Plan,
    told_apart: &ToldApart,
    limits: &str,
    kind: CostKind,
) -> Vec<BreakEven> {
    let cells: Vec<&CellCost> = costs
        .iter()
        .filter(|c| c.limits == limits && !c.curves(kind).is_empty() && c.measured() > 0.0)
        .collect();
    let Some(measured) = cells.iter().map(|c| c.measured()).reduce(f64::min) else {
        return Vec::new();
    };
    let grid = grid(measured);
    let contenders: Vec<Contender> = cells
        .iter()
        .map(|cell| {
            let name = format!("break-even {kind:?} {}", cell.cell);
            Contender::new(cell, kind, &grid, seed_for(plan.seed, &name))
        })
        .collect();
    let cheaper = |a: usize, b: usize, lifetime: Lifetime| {
        let cost = Quantity::Cost(kind, lifetime);
        match told_apart.of(&cost, &cells[a].cell, &cells[b].cell).order {
            Ordering::Less => Some(a),
            Ordering::Greater => Some(b),
            Ordering::Equal => None,
        }
    };
    pairs(&contenders, &plan.baseline)
        .into_iter()
        .filter_map(|(a, b)| {
            let first = cheaper(a, b, Lifetime::Shortest)?;
            let last = cheaper(a, b, Lifetime::Measured)?;
            let other = if first == a { b } else { a };
            let (before, after) = (&contenders[first], &contenders[last]);
            Some(BreakEven {
                limits: limits.to_owned(),
                cost: kind,
                cheaper_before: before.variant.clone(),
                costlier_before: Some(contenders[other].variant.clone()),
                cheaper_after: after.variant.clone(),
                requests: (before.variant != after.variant).then(|| crossing(&grid, before, after)),
            })
        })
        .collect()
}

/// 0, 1, 2, ... 10, then evenly on the logarithmic scale to the end.
fn grid(end: f64) -> Vec<f64> {
    let step = |i: i32| 10f64.powf(f64::from(i) / f64::from(POINTS_PER_DECADE));
    let spread = (POINTS_PER_DECADE + 1..).map(step).take_while(|n| *n < end);
    let first = (0..=10).map(f64::from).filter(|n| *n < end);
    first.chain(spread).chain([end]).collect()
}

/// One variant's curve on the grid: the median over launches, and that median resampled.
struct Contender {
    variant: String,
    median: Vec<f64>,
    resampled: Vec<Vec<f64>>,
}

impl Contender {
    fn new(cell: &CellCost, kind: CostKind, grid: &[f64], seed: u64) -> Self {
        let on_grid = |curve: &CostCurve| grid.iter().map(|n| curve.at(*n)).collect();
        let launches: Vec<Vec<f64>> = cell.curves(kind).iter().map(on_grid).collect();
        let all: Vec<usize> = (0..launches.len()).collect();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut draw = || -> Vec<usize> {
            let some = || random.random_range(0..launches.len());
            std::iter::repeat_with(some).take(launches.len()).collect()
        };
        Self {
            variant: cell.variant.clone(),
            median: median_curve(&launches, &all),
            resampled: (0..RESAMPLES)
                .map(|_| median_curve(&launches, &draw()))
                .collect(),
        }
    }
}

fn median_curve(launches: &[Vec<f64>], drawn: &[usize]) -> Vec<f64> {
    let points = launches.first().map_or(0, Vec::len);
    let mut column = Vec::with_capacity(drawn.len());
    (0..points)
        .map(|point| {
            column.clear();
            column.extend(drawn.iter().map(|launch| launches[*launch][point]));
            column.sort_by(f64::total_cmp);
            median_of_sorted(&column).unwrap_or(0.0)
        })
        .collect()
}

/// The baseline with each other, then the neighbours on the lower envelope.
fn pairs(contenders: &[Contender], baseline: &str) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    if let Some(base) = contenders.iter().position(|c| c.variant == baseline) {
        pairs.extend(
            (0..contenders.len())
                .filter(|i| *i != base)
                .map(|i| (base, i)),
        );
    }
    let points = contenders.first().map_or(0, |c| c.median.len());
    let cheapest = |point: usize| {
        let cost = |i: &usize| contenders[*i].median[point];
        (0..contenders.len()).min_by(|a, b| cost(a).total_cmp(&cost(b)))
    };
    let envelope: Vec<usize> = (0..points).filter_map(cheapest).collect();
    for step in envelope.windows(2) {
        let pair = (step[0], step[1]);
        let known = pairs.contains(&pair) || pairs.contains(&(pair.1, pair.0));
        if pair.0 != pair.1 && !known {
            pairs.push(pair);
        }
    }
    pairs
}

fn crossing(grid: &[f64], before: &Contender, after: &Contender) -> Interval {
    let resampled = before.resampled.iter().zip(&after.resampled);
    let crossings = resampled.map(|(before, after)| last_cheaper(grid, before, after));
    let value = last_cheaper(grid, &before.median, &after.median);
    percentile_interval(value, crossings.collect())
}

/// Where `before` stops being the cheaper one for the last time: 0 when it never is, the end of the
/// grid when it still is there.
fn last_cheaper(grid: &[f64], before: &[f64], after: &[f64]) -> f64 {
    let lead = |i: usize| after[i] - before[i];
    let Some(last) = (0..grid.len()).rfind(|i| lead(*i) > 0.0) else {
        return 0.0;
    };
    let Some(next) = grid.get(last + 1) else {
        return grid[last];
    };
    let share = lead(last) / (lead(last) - lead(last + 1));
    grid[last] + (next - grid[last]) * share
}

#[cfg(test)]
#[path = "break_even_tests.rs"]
mod tests;

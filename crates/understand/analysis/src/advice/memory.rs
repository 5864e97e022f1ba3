//! Memory against throughput: what a variant saves and what that costs, in one sentence a pair.
//!
//! `` `adaptive` uses 48 % less memory than `by-space-and-time` at the same throughput (difference
//! 0.8 %, 95 %: -1.2 % to 2.9 %) ``
//!
//! Pairs that matter: each variant with the baseline, which is what runs today; and the best with
//! every other variant, the best being the one with the least memory among those that are not shown
//! to have less throughput than the baseline.

use super::choice::{Choice, metric};
use crate::cell::yardstick;
use crate::metric::metrics;
use crate::told_apart::ToldApart;
use crate::verdict::{Sample, compare};
use tacho_figures::percent;
use tacho_run_folder::{CellResult, Comparison, Interval, MemoryPair, Plan, Verdict};
use tacho_statistics::bootstrap::seed_for;

/// Pairs of variants whose memory was shown to differ: those with the baseline come first, and
/// among them what saves memory without a price.
pub fn pairs(plan: &Plan, choice: &Choice<'_>) -> Vec<MemoryPair> {
    let Some(baseline) = choice.baseline else {
        return Vec::new();
    };
    let others = choice.others.iter().map(|other| other.cell);
    let cells: Vec<&CellResult> = choice.pick.into_iter().chain(others).collect();
    let mut pairs: Vec<MemoryPair> = cells
        .iter()
        .filter(|cell| cell.cell != baseline.cell)
        .filter_map(|cell| {
            let memory = metric(cell, &choice.criteria.memory)?.versus_baseline?;
            let id = choice.criteria.capacity.as_deref()?;
            let capacity = metric(cell, id)?.versus_baseline?;
            pair((cell, baseline), memory, (id, capacity))
        })
        .collect();
    pairs.sort_by(|a, b| order(a).cmp(&order(b)).then(less(a, b)));
    let best = pairs
        .first()
        .filter(|pair| order(pair) == 0)
        .and_then(|pair| cells.iter().find(|cell| cell.variant == pair.variant));
    let Some(best) = best else {
        return pairs;
    };
    let mut of_best: Vec<MemoryPair> = cells
        .iter()
        .filter(|cell| cell.cell != best.cell && cell.cell != baseline.cell)
        .filter_map(|cell| {
            let id = choice.criteria.capacity.as_deref()?;
            let compared = |id| compared(plan, choice.told_apart, id, best, cell);
            let memory = compared(&choice.criteria.memory)?;
            pair((best, cell), memory, (id, compared(id)?))
        })
        .collect();
    of_best.sort_by(less);
    pairs.extend(of_best);
    pairs
}

/// What saves memory at the same throughput or a higher one, then what saves it at a price or
/// perhaps, then what takes more.
fn order(pair: &MemoryPair) -> u8 {
    match (pair.memory.verdict, pair.capacity.verdict) {
        (Verdict::Better, Verdict::Same | Verdict::Better) => 0,
        (Verdict::Better, _) => 1,
        _ => 2,
    }
}

fn less(a: &MemoryPair, b: &MemoryPair) -> std::cmp::Ordering {
    a.memory.ratio.value.total_cmp(&b.memory.ratio.value)
}

/// Two variants of which neither is the baseline.
fn compared(
    plan: &Plan,
    told_apart: &ToldApart,
    id: &str,
    cell: &CellResult,
    other: &CellResult,
) -> Option<Comparison> {
    let metric_of_plan = metrics(plan).into_iter().find(|m| m.id == id)?;
    let values = |cell: &CellResult| -> Option<Vec<f64>> {
        Some(metric(cell, id)?.values.iter().map(|v| v.value).collect())
    };
    compare(
        &Sample::Apart(values(cell)?, values(other)?),
        &yardstick(&metric_of_plan, plan.threshold),
        told_apart.of_metric(id, &cell.cell, &other.cell),
        seed_for(plan.seed, &format!("{id} {} {}", cell.cell, other.cell)),
    )
}

/// `None` when their memory was not shown to differ.
fn pair(
    (cell, other): (&CellResult, &CellResult),
    memory: Comparison,
    (capacity_id, capacity): (&str, Comparison),
) -> Option<MemoryPair> {
    let difference = memory.ratio.value - 1.0;
    let amount = match memory.verdict {
        Verdict::Better => format!("{} less memory than", percent(-difference)),
        Verdict::Worse => format!("{} more memory than", percent(difference)),
        Verdict::Same | Verdict::Inconclusive => return None,
    };
    Some(MemoryPair {
        variant: cell.variant.clone(),
        against: other.variant.clone(),
        sentence: format!(
            "`{}` uses {amount} `{}`{}.",
            cell.variant,
            other.variant,
            at_what_price(&capacity, name(capacity_id)),
        ),
        memory,
        capacity_metric: capacity_id.to_owned(),
        capacity,
    })
}

fn name(capacity_id: &str) -> &'static str {
    if capacity_id.ends_with(".throughput") {
        "throughput"
    } else {
        "CPU a request"
    }
}

fn at_what_price(capacity: &Comparison, name: &str) -> String {
    let (change, interval) = (capacity.ratio.value - 1.0, interval(&capacity.ratio));
    let difference = format!("difference {}, {interval}", percent(change));
    match capacity.verdict {
        Verdict::Same => format!(" at the same {name} ({difference})"),
        Verdict::Inconclusive => format!("; {name} is not told apart ({difference})"),
        Verdict::Better | Verdict::Worse => {
            let more_or_less = if change < 0.0 { "less" } else { "more" };
            let amount = percent(change.abs());
            format!(" and has {amount} {more_or_less} {name} ({interval})")
        }
    }
}

fn interval(ratio: &Interval) -> String {
    format!(
        "95 %: {} to {}",
        percent(ratio.low - 1.0),
        percent(ratio.high - 1.0)
    )
}

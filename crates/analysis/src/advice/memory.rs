//! Memory against throughput: what a variant saves and what that costs, in one sentence each.
//!
//! `` `adaptive` uses 48 % less memory than `by-space-and-time` at the same throughput (difference 0.8 %, 95 %: -1.2 % to 2.9 %) ``

use super::choice::{Choice, metric};
use crate::words::percent;
use tacho_run_folder::{CellResult, Comparison, Interval, Verdict};

/// One sentence for each variant whose memory differs from the baseline's, without the full stop; those that save most come first.
pub fn trades(choice: &Choice<'_>) -> Vec<String> {
    let Some(baseline) = choice.baseline else {
        return Vec::new();
    };
    let others = choice.others.iter().map(|other| other.cell);
    let mut trades: Vec<(f64, String)> = choice
        .pick
        .into_iter()
        .chain(others)
        .filter(|cell| cell.cell != baseline.cell)
        .filter_map(|cell| trade(choice, cell, baseline))
        .collect();
    trades.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    trades.into_iter().map(|(_, sentence)| sentence).collect()
}

/// The ratio of memory and the sentence.
fn trade(choice: &Choice<'_>, cell: &CellResult, baseline: &CellResult) -> Option<(f64, String)> {
    let memory = metric(cell, &choice.criteria.memory)?.versus_baseline?;
    let capacity_id = choice.criteria.capacity.as_deref()?;
    let capacity = metric(cell, capacity_id)?.versus_baseline?;
    let difference = memory.ratio.value - 1.0;
    let amount = match memory.verdict {
        Verdict::Better => format!("{} less memory than", percent(-difference)),
        Verdict::Worse => format!("{} more memory than", percent(difference)),
        Verdict::Same | Verdict::Inconclusive => return None,
    };
    let sentence = format!(
        "`{}` uses {amount} `{}`{}",
        cell.variant,
        baseline.variant,
        at_what_price(&capacity, name(capacity_id)),
    );
    Some((memory.ratio.value, sentence))
}

fn name(capacity_id: &str) -> &'static str {
    if capacity_id.ends_with(".throughput") {
        "throughput"
    } else {
        "CPU a request"
    }
}

fn at_what_price(capacity: &Comparison, name: &str) -> String {
    let difference = difference(&capacity.ratio);
    match capacity.verdict {
        Verdict::Same => format!(" at the same {name} ({difference})"),
        Verdict::Inconclusive => format!("; {name} is not told apart ({difference})"),
        Verdict::Better | Verdict::Worse => {
            let change = capacity.ratio.value - 1.0;
            let more_or_less = if change < 0.0 { "less" } else { "more" };
            format!(
                " and has {} {more_or_less} {name} ({})",
                percent(change.abs()),
                interval(&capacity.ratio)
            )
        }
    }
}

fn difference(ratio: &Interval) -> String {
    format!(
        "difference {}, {}",
        percent(ratio.value - 1.0),
        interval(ratio)
    )
}

fn interval(ratio: &Interval) -> String {
    format!(
        "95 %: {} to {}",
        percent(ratio.low - 1.0),
        percent(ratio.high - 1.0)
    )
}

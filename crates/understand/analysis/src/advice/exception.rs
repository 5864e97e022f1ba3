//! When another variant than the advised one is the better buy, and what making a variant costs
//! before it is started.

use super::Grounds;
use super::choice::{Choice, metric};
use tacho_figures::{percent, requests, waiting};
use tacho_run_folder::{BreakEven, CellResult, CostKind};

/// Another variant may be the better buy, and when.
#[derive(Debug, Clone)]
pub struct Exception<'a> {
    /// The other variant.
    pub cell: &'a CellResult,
    /// When, as a part of the sentence.
    pub clause: String,
}

/// The exceptions for one set of limits: by the CPU time of an instance's life, and by memory.
pub fn exceptions<'a>(
    grounds: &Grounds<'_>,
    choice: &Choice<'a>,
    pick: &CellResult,
) -> Vec<Exception<'a>> {
    let cpu = by_cpu_time(grounds, choice, pick);
    let memory = least_memory(choice, pick).map(|(cell, saving)| Exception {
        cell,
        clause: needs_less(cell, &percent(saving)),
    });
    cpu.into_iter().chain(memory).collect()
}

/// For short lives, or for long ones.
fn by_cpu_time<'a>(
    grounds: &Grounds<'_>,
    choice: &Choice<'a>,
    pick: &CellResult,
) -> Option<Exception<'a>> {
    let of_pick = |b: &&BreakEven| {
        b.limits == choice.limits
            && b.cost == CostKind::Cpu
            && b.requests.is_some()
            && [&b.cheaper_before, &b.cheaper_after].contains(&&pick.variant)
    };
    let found = grounds.break_evens.iter().filter(of_pick).max_by(|a, b| {
        let requests = |e: &BreakEven| e.requests.map_or(0.0, |r| r.value);
        requests(a).total_cmp(&requests(b))
    })?;
    let crossing = found.requests?;
    let at = requests(crossing.value);
    let remark = if crossing.high > WIDE * crossing.low {
        let (low, high) = (requests(crossing.low), requests(crossing.high));
        format!(" (95 %: {low} to {high})")
    } else {
        String::new()
    };
    let (other, when) = if found.cheaper_after == pick.variant {
        let when = "only for instances that serve fewer than";
        (&found.cheaper_before, when)
    } else {
        (&found.cheaper_after, "for instances that serve more than")
    };
    let cell = choice.others.iter().find(|o| &o.cell.variant == other)?;
    Some(Exception {
        cell: cell.cell,
        clause: format!("`{other}` costs less CPU time {when} {at} requests{remark}"),
    })
}

/// A variant with so much less memory that it may be the better buy, and how much less as a
/// fraction of what the advised one needs.
fn least_memory<'a>(choice: &Choice<'a>, pick: &CellResult) -> Option<(&'a CellResult, f64)> {
    let id = &choice.criteria.memory;
    let mine = metric(pick, id)?.estimate;
    let (cell, theirs) = choice
        .others
        .iter()
        .filter_map(|o| Some((o.cell, metric(o.cell, id)?)))
        .filter(|(cell, _)| choice.is_told_less(id, cell, pick))
        .min_by(|a, b| a.1.estimate.value.total_cmp(&b.1.estimate.value))?;
    let saving = 1.0 - theirs.estimate.value / mine.value;
    (saving > NOTABLE_SAVING).then_some((cell, saving))
}

fn needs_less(cell: &CellResult, much: &str) -> String {
    format!(
        "where memory is what counts, `{}` needs {much} less",
        cell.variant
    )
}

/// The exception by memory under several limits: when the same variant is one under all.
pub fn less_memory_everywhere<'a>(
    picks: &[(&Choice<'a>, &'a CellResult)],
) -> Option<Exception<'a>> {
    let least: Option<Vec<(&CellResult, f64)>> = picks
        .iter()
        .map(|(choice, pick)| least_memory(choice, pick))
        .collect();
    let least = least?;
    let (cell, _) = *least.first()?;
    if least.iter().any(|(c, _)| c.variant != cell.variant) {
        return None;
    }
    let smallest = least.iter().map(|(_, saving)| *saving).reduce(f64::min)?;
    let much = match least.len() {
        1 => percent(smallest),
        _ => format!("at least {}", percent(smallest)),
    };
    Some(Exception {
        cell,
        clause: needs_less(cell, &much),
    })
}

/// What building it costs, where one has to wait for it: the time, and after how many starts it is
/// won back against the variant that would be shipped instead.
pub fn building(
    choice: &Choice<'_>,
    cell: &CellResult,
    instead: Option<&CellResult>,
) -> Option<String> {
    let takes_s = build_s(cell).filter(|&s| s >= NOTABLE_BUILD_S)?;
    let takes = format!("building `{}` takes {}", cell.variant, waiting(takes_s));
    let longer_s = |other: &CellResult| takes_s - build_s(other).unwrap_or(0.0);
    let starts =
        instead.and_then(|other| Some(longer_s(other) / start_saved_s(choice, cell, other)?));
    Some(match (starts, instead) {
        (Some(starts), Some(other)) if starts > 1.0 => format!(
            "{takes}, which {} starts win back against `{}`",
            requests(starts),
            other.variant
        ),
        _ => takes,
    })
}

fn build_s(cell: &CellResult) -> Option<f64> {
    Some(metric(cell, "build_s")?.estimate.value)
}

/// By how much it is sooner ready, if that was told.
fn start_saved_s(choice: &Choice<'_>, cell: &CellResult, other: &CellResult) -> Option<f64> {
    let id = &choice.criteria.ready;
    let ready_ms = |cell| Some(metric(cell, id)?.estimate.value);
    let saved_s = (ready_ms(other)? - ready_ms(cell)?) / 1e3;
    choice.is_told_less(id, cell, other).then_some(saved_s)
}

/// A smaller saving of memory is not mentioned.
const NOTABLE_SAVING: f64 = 0.25;
/// A break-even is given with its interval when the interval reaches further than this factor.
const WIDE: f64 = 2.0;
/// Builds that take less time than this do not count for or against a variant.
const NOTABLE_BUILD_S: f64 = 60.0;

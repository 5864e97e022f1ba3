//! Parts of sentences: one metric of one variant, by itself or against the baseline.

use super::choice::{Choice, metric};
use std::borrow::Borrow;
use std::cmp::Ordering;
use tacho_figures::{bytes, effect, ms, number, percent};
use tacho_run_folder::{CellResult, MetricResult, Verdict};

/// The words of a metric for more, for less and for equal.
struct Wording {
    /// `{} more throughput`
    more: &'static str,
    less: &'static str,
    same: &'static str,
    /// For the list of what was not told apart.
    name: &'static str,
}

fn wording(choice: &Choice<'_>, id: &str) -> Wording {
    let criteria = &choice.criteria;
    let words = |more, less, same, name| Wording {
        more,
        less,
        same,
        name,
    };
    if id == criteria.ready {
        words(
            "later ready",
            "sooner ready",
            "as soon ready",
            "time to ready",
        )
    } else if id == criteria.first_request {
        words(
            "slower first request",
            "faster first request",
            "same first request",
            "first request",
        )
    } else if id == criteria.memory {
        words("more memory", "less memory", "same memory", "memory")
    } else if Some(id) == criteria.p99.as_deref() {
        words("higher p99", "lower p99", "same p99", "p99")
    } else if id.ends_with(".throughput") {
        words(
            "more throughput",
            "less throughput",
            "same throughput",
            "throughput",
        )
    } else if id.ends_with(".cpu_per_request_ms") {
        words(
            "more CPU a request",
            "less CPU a request",
            "same CPU a request",
            "CPU a request",
        )
    } else {
        words(
            "more failures",
            "fewer failures",
            "as many failures",
            "failures",
        )
    }
}

/// `2.6 x`, or `8 %` where a factor says less.
fn by_how_much(ratio: f64, less: bool) -> String {
    let factor = if less { 1.0 / ratio } else { ratio };
    if factor >= 1.5 {
        let rounded = if factor >= 10.0 {
            factor.round()
        } else {
            (factor * 10.0).round() / 10.0
        };
        return format!("{rounded} x");
    }
    percent((ratio - 1.0).abs())
}

/// How a variant lies to the baseline in a metric; `None` where that is not known. The choice goes
/// by the test, and the test by the mean: of launches that fall into modes it may tell what the
/// interval of the median leaves open. Then that is what is said, or one sentence would say both.
fn lies(choice: &Choice<'_>, cell: &CellResult, metric: &MetricResult) -> Option<Ordering> {
    let comparison = metric.versus_baseline?;
    match (comparison.verdict, choice.told(&metric.id, cell)) {
        (Verdict::Better | Verdict::Worse, _) => comparison.ratio.value.partial_cmp(&1.0),
        (Verdict::Inconclusive, Ordering::Equal) => None,
        (Verdict::Same | Verdict::Inconclusive, told) => Some(told),
    }
}

/// `2.6 x sooner ready`; `None` when it is inconclusive.
fn against(choice: &Choice<'_>, cell: &CellResult, metric: &MetricResult) -> Option<String> {
    let wording = wording(choice, &metric.id);
    let ratio = metric.versus_baseline?.ratio.value;
    Some(match lies(choice, cell, metric)? {
        Ordering::Equal => wording.same.to_owned(),
        // The median may not lie where the mean does.
        Ordering::Less if ratio >= 1.0 => wording.less.to_owned(),
        Ordering::Greater if ratio <= 1.0 => wording.more.to_owned(),
        Ordering::Less | Ordering::Greater => differing(&wording, ratio),
    })
}

/// `30 % less throughput`, of a ratio that was told.
fn differing(wording: &Wording, ratio: f64) -> String {
    match ratio {
        // Percent of a quantity shrinks it, a factor divides it: memory is never "4 x less".
        _ if ratio < 1.0 && wording.less.starts_with("less") => {
            format!("{} {}", percent(1.0 - ratio), wording.less)
        }
        _ if ratio < 1.0 => format!("{} {}", by_how_much(ratio, true), wording.less),
        _ => format!("{} {}", by_how_much(ratio, false), wording.more),
    }
}

/// A variant by one metric against the baseline: `30 % less throughput`.
pub fn versus_baseline(choice: &Choice<'_>, cell: &CellResult, id: &str) -> Option<String> {
    let how = against(choice, cell, metric(cell, id)?)?;
    Some(match choice.baseline {
        Some(baseline) => how + warmth([cell, baseline], id).as_str(),
        None => how,
    })
}

/// A variant by a metric in which it was told to be worse than another of those that were left:
/// ``2.3 x slower first request than `go` ``, by the medians of the two.
pub fn versus_best(
    choice: &Choice<'_>,
    cell: &CellResult,
    best: &CellResult,
    id: &str,
) -> Option<String> {
    let ratio = metric(cell, id)?.estimate.value / metric(best, id)?.estimate.value;
    let wording = wording(choice, id);
    // A ratio to no failures at all has no value.
    let how = match ratio.is_finite() {
        true => differing(&wording, ratio),
        false => wording.more.to_owned(),
    };
    let warmth = warmth([cell, best], id);
    Some(format!("{how} than `{}`{warmth}", best.variant))
}

/// Where one of two was not warm, what they differ by may be the difference of their warm-ups.
fn warmth(both: [&CellResult; 2], id: &str) -> String {
    let is_unsteady = |cell: &CellResult| metric(cell, id).is_some_and(MetricResult::is_unsteady);
    let unsteady = both.into_iter().filter(|cell| is_unsteady(cell));
    match unsteady.collect::<Vec<_>>()[..] {
        [] => String::new(),
        [one] => format!(" (`{}` was not shown to be warm)", one.variant),
        _ => " (neither was shown to be warm)".to_owned(),
    }
}

/// `ready in 1.2 s (2.6 x sooner than `jar`)`.
pub fn ready_in(choice: &Choice<'_>, cell: &CellResult) -> Option<String> {
    let ready = metric(cell, &choice.criteria.ready)?;
    let mut text = format!("ready in {}", ms(ready.estimate.value));
    if let (Some(comparison), Some(baseline)) = (ready.versus_baseline, choice.baseline) {
        let ratio = comparison.ratio.value;
        let name = &baseline.variant;
        text += &match lies(choice, cell, ready) {
            None => String::new(),
            Some(Ordering::Equal) => format!(" (as soon as `{name}`)"),
            Some(Ordering::Less) if ratio >= 1.0 => format!(" (sooner than `{name}`)"),
            Some(Ordering::Greater) if ratio <= 1.0 => format!(" (later than `{name}`)"),
            Some(Ordering::Less) => format!(" ({} sooner than `{name}`)", by_how_much(ratio, true)),
            Some(Ordering::Greater) => {
                format!(" ({} later than `{name}`)", by_how_much(ratio, false))
            }
        };
    }
    Some(text)
}

/// `12,400 requests/s`, `0.08 ms of CPU a request`, `84 MiB`.
pub fn amount(result: &MetricResult) -> String {
    let value = result.estimate.value;
    let amount = match result.unit.as_str() {
        "bytes" => bytes(value),
        "1/s" => format!("{} requests/s", number(value)),
        "ms" if result.id.ends_with("cpu_per_request_ms") => {
            format!("{} of CPU a request", ms(value))
        }
        "ms" => ms(value),
        "1" => percent(value),
        _ => number(value),
    };
    match result.is_unsteady() {
        true => format!("{amount} (not shown to be warm)"),
        false => amount,
    }
}

/// The criteria that a reader asks for first.
pub fn headlines(choice: &Choice<'_>) -> Vec<String> {
    let criteria = &choice.criteria;
    let (first, memory) = (&criteria.first_request, &criteria.memory);
    let ids = [Some(first), criteria.capacity.as_ref(), Some(memory)];
    ids.into_iter().flatten().cloned().collect()
}

/// What was not told apart from the baseline, what difference would have been, and how many
/// launches would tell: `throughput and memory are not told apart with 5 launches each (differences
/// of 12 % and 8 % would be; about 12 would settle it)`.
pub fn open_questions(choice: &Choice<'_>, cell: &CellResult) -> Option<String> {
    let ids = [vec![choice.criteria.ready.clone()], headlines(choice)].concat();
    let open: Vec<(&str, &MetricResult)> = ids
        .iter()
        .filter_map(|id| Some((wording(choice, id).name, metric(cell, id)?)))
        .filter(|(_, m)| m.versus_baseline.is_some() && lies(choice, cell, m).is_none())
        .collect();
    let (_, first) = open.first()?;
    let names: Vec<&str> = open.iter().map(|(name, _)| *name).collect();
    let of_baseline = choice.baseline.and_then(|b| metric(b, &first.id));
    let launches = of_baseline.map_or(0, |m| m.values.len().min(first.values.len()));
    let are = if names.len() == 1 { "is" } else { "are" };
    let comparisons = || open.iter().filter_map(|(_, m)| m.versus_baseline);
    let mut found: Vec<String> = comparisons()
        .map(|c| effect(c.smallest_detectable))
        .collect();
    found.dedup();
    let needed: Option<Vec<u32>> = comparisons().map(|c| c.launches_needed).collect();
    let settled = match needed.and_then(|n| n.into_iter().max()) {
        Some(needed) => format!("about {needed} would settle it"),
        None if launches < crate::verdict::FEWEST_LAUNCHES => "make at least 5".to_owned(),
        None => "more than 100 would be needed".to_owned(),
    };
    Some(format!(
        "{} {are} not told apart from `{}` with {} each (differences of {} would be; {settled})",
        and(&names),
        choice
            .baseline
            .map_or("the baseline", |b| b.variant.as_str()),
        tacho_figures::launches(launches),
        and(&found),
    ))
}

/// The name of a criterion.
pub fn name(choice: &Choice<'_>, id: &str) -> &'static str {
    wording(choice, id).name
}

pub fn verdict(result: &MetricResult) -> Option<Verdict> {
    result.versus_baseline.map(|c| c.verdict)
}

/// `a`, `a and b`, `a, b and c`.
pub fn and(names: &[impl Borrow<str>]) -> String {
    match names.split_last() {
        Some((last, [])) => last.borrow().to_owned(),
        Some((last, others)) => format!("{} and {}", others.join(", "), last.borrow()),
        None => String::new(),
    }
}

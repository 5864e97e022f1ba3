//! Which variant to ship under one set of limits.

use super::Grounds;
use crate::cell::Measured;
use crate::metric::loaded_phases;
use crate::told_apart::{Told, ToldApart};
use std::cmp::Ordering;
use tacho_run_folder::{CellResult, CheckResult, Good, MetricResult, PhaseKind};

/// The decision for one set of limits.
#[derive(Debug)]
pub struct Choice<'a> {
    pub limits: &'a str,
    /// `None` when no launch was valid.
    pub pick: Option<&'a CellResult>,
    /// The baseline, if it has a valid launch.
    pub baseline: Option<&'a CellResult>,
    /// Others with valid launches, and where they left, the last one last.
    pub others: Vec<Other<'a>>,
    /// Whether the pick meets every check.
    pub meets_checks: bool,
    pub criteria: &'a Criteria,
    pub told_apart: &'a ToldApart,
}

/// A variant that was not chosen.
#[derive(Debug)]
pub struct Other<'a> {
    pub cell: &'a CellResult,
    pub lost_by: LostBy<'a>,
}

#[derive(Debug, Clone)]
pub enum LostBy<'a> {
    /// It does not meet this check, which others meet.
    Check(String),
    /// It was told to be worse in this metric than another of those that were left: the best of
    /// these others.
    Metric { id: String, best: &'a CellResult },
    /// The baseline was told to be worse than another, and this one was not told to be better than
    /// the baseline: it may lie anywhere between the two.
    NoBetter,
    /// Not shown to be worse in anything.
    Nothing,
}

impl LostBy<'_> {
    pub fn metric(&self) -> Option<&str> {
        match self {
            Self::Metric { id, .. } => Some(id),
            Self::Check(_) | Self::NoBetter | Self::Nothing => None,
        }
    }
}

impl<'a> Choice<'a> {
    /// Of the variants that were not chosen, the one that stayed longest beside the pick: the last
    /// that was ruled out, or one that was not ruled out at all. Of those that were ruled out
    /// together, the best.
    pub fn runner_up(&self) -> Option<&Other<'a>> {
        let last = self.others.last()?;
        let Some(id) = last.lost_by.metric() else {
            return Some(last);
        };
        let together = self.others.iter();
        let together = together.filter(|other| other.lost_by.metric() == Some(id));
        let cells: Vec<&CellResult> = together.clone().map(|other| other.cell).collect();
        let best = best(&cells, id).map_or(last.cell, |(cell, _)| cell);
        together
            .into_iter()
            .find(|other| other.cell.cell == best.cell)
    }

    /// Whether a cell was told to lie below or above the baseline in a metric.
    pub fn told(&self, id: &str, cell: &CellResult) -> Ordering {
        self.baseline.map_or(Ordering::Equal, |baseline| {
            let told = self.told_apart.of_metric(id, &cell.cell, &baseline.cell);
            told.order
        })
    }

    /// Whether `cell` was told to have less of a metric than `other`.
    pub fn is_told_less(&self, id: &str, cell: &CellResult, other: &CellResult) -> bool {
        let told = self.told_apart.of_metric(id, &cell.cell, &other.cell);
        told.order == Ordering::Less
    }
}

/// Ids of the metrics that decide, in the order in which they are asked. Bytes on disk decide
/// nothing: what an instance costs and what its users feel are worth more.
#[derive(Debug, Clone)]
pub struct Criteria {
    /// Failed requests of the last loaded phase.
    pub failed: Option<String>,
    /// Throughput of the last closed phase, else processor time a request of the last open one.
    pub capacity: Option<String>,
    /// p99 of the last open phase.
    pub p99: Option<String>,
    /// Time to ready.
    pub ready: String,
    /// Response time of the first request.
    pub first_request: String,
    /// Peak memory.
    pub memory: String,
    /// Not asked, but told apart with the same care, since `tacho diagnose` goes by them: processor
    /// time a request and median response time of the last loaded phase.
    pub beside: Vec<String>,
}

impl Criteria {
    /// Those that this run measured.
    #[must_use]
    pub fn of(measured: &Measured<'_>) -> Self {
        let plan = measured.plan();
        let last = |is: fn(&PhaseKind) -> bool| {
            let phase = plan.phases.iter().rfind(|p| is(&p.kind));
            phase.map(|p| p.label.as_str())
        };
        // Connections that think do not saturate.
        let closed = last(|kind| matches!(kind, PhaseKind::Closed { think: None, .. }));
        let open = last(PhaseKind::is_open);
        let of = |label: &str, id: &str| format!("{label}.{id}");
        // A saturated closed phase shows the capacity itself; an open one runs at the rate that it
        // was given, and the CPU time a request says how far that is from the limit.
        let capacity = closed
            .map(|label| of(label, "throughput"))
            .or(open.map(|label| of(label, "cpu_per_request_ms")));
        // The working set is what Kubernetes counts; without a control group there is only the RSS.
        // The working set depends on the order of launches: the kernel charges a file's pages, such
        // as the JDK's libraries, to whichever group touched them first. The resident set does not,
        // and it is what the summary shows.
        let rss = "peak_rss_bytes";
        let memory = if measured.is_known_of_all(rss) {
            rss
        } else {
            "peak_working_set_bytes"
        };
        let last_loaded = loaded_phases(plan).next_back();
        Self {
            failed: last_loaded.map(|label| of(label, "failed_share")),
            beside: ["cpu_per_request_ms", "response_p50_ms"]
                .iter()
                .filter_map(|id| Some(of(last_loaded?, id)))
                .collect(),
            capacity,
            p99: open.map(|label| of(label, "response_p99_ms")),
            ready: "ready_ms".to_owned(),
            first_request: "first_request_ms".to_owned(),
            memory: memory.to_owned(),
        }
    }

    /// All of them, the first to be asked first.
    pub fn in_order(&self) -> impl Iterator<Item = &String> {
        let first = [&self.failed, &self.capacity, &self.p99];
        let then = [&self.ready, &self.first_request, &self.memory];
        first.into_iter().flatten().chain(then)
    }
}

/// A metric of a cell, by its id.
pub fn metric<'a>(cell: &'a CellResult, id: &str) -> Option<&'a MetricResult> {
    cell.metrics.iter().find(|m| m.id == id)
}

/// Goes through the criteria.
pub fn choose<'a>(grounds: &Grounds<'a>, limits: &'a str) -> Choice<'a> {
    let measured: Vec<&CellResult> = grounds
        .cells
        .iter()
        .filter(|c| c.limits == limits && c.valid > 0)
        .collect();
    let Grounds {
        criteria,
        told_apart,
        ..
    } = *grounds;
    let is_baseline = |c: &&&CellResult| c.variant == grounds.plan.baseline;

    let mut lost: Vec<Other<'a>> = Vec::new();
    let (meeting, missing) = by_checks(&measured, grounds.checks);
    let meets_checks = !meeting.is_empty();
    let mut left = measured.clone();
    if meets_checks {
        left = meeting;
        lost.extend(missing.into_iter().map(|(cell, check)| Other {
            cell,
            lost_by: LostBy::Check(check),
        }));
    }
    let mut asked: Vec<(&String, Good)> = Vec::new();
    for id in criteria.in_order() {
        let Some((_, good)) = best(&left, id) else {
            continue;
        };
        asked.push((id, good));
        let (stay, worse) = parted(&left, (id.as_str(), good), told_apart);
        // "Not told apart" is not transitive: a variant with a wide interval may be told apart
        // neither from the baseline nor from what beats it. It is no reason to leave the baseline.
        let mut of_worse = worse.iter().map(|(cell, _)| cell);
        let (better, no_better): (Vec<_>, Vec<_>) = match of_worse.find(is_baseline) {
            None => (stay, Vec::new()),
            Some(baseline) => stay.into_iter().partition(|cell| {
                let told = |id: &str| told_apart.of_metric(id, &baseline.cell, &cell.cell);
                asked.iter().any(|(id, good)| is_worse(told(id), *good))
            }),
        };
        // What was told to be better than all that beat the baseline is better than the baseline.
        let (stay, no_better) = match better.is_empty() {
            true => (no_better, better),
            false => (better, no_better),
        };
        lost.extend(no_better.into_iter().map(|cell| Other {
            cell,
            lost_by: LostBy::NoBetter,
        }));
        lost.extend(worse.into_iter().map(|(cell, best)| Other {
            cell,
            lost_by: LostBy::Metric {
                id: id.clone(),
                best,
            },
        }));
        left = stay;
    }
    let pick = left.iter().find(is_baseline).or(left.first()).copied();
    let tied = left
        .iter()
        .filter(|c| pick.is_some_and(|p| p.cell != c.cell));
    lost.extend(tied.map(|cell| Other {
        cell,
        lost_by: LostBy::Nothing,
    }));
    Choice {
        limits,
        pick,
        baseline: measured.iter().find(is_baseline).copied(),
        others: lost,
        meets_checks,
        criteria,
        told_apart,
    }
}

/// Parts cells into those that meet every check, and the others, each with a check that it misses.
pub fn by_checks<'a>(
    cells: &[&'a CellResult],
    checks: &[CheckResult],
) -> (Vec<&'a CellResult>, Vec<(&'a CellResult, String)>) {
    let (mut meeting, mut missing) = (Vec::new(), Vec::new());
    for cell in cells {
        let mut failed = checks.iter().filter(|check| !check.passed);
        match failed.find(|check| check.cell == cell.cell) {
            Some(failed) => missing.push((*cell, failed.check.clone())),
            None => meeting.push(*cell),
        }
    }
    (meeting, missing)
}

/// Parts cells by a metric: those that stay, and those that were told to be worse than another of
/// them, each with the best of these others. That need not be the best of all: what scatters widely
/// may have the best median, and then none is told to be worse than it. A cell without the metric
/// stays, since nothing is known against it.
pub fn parted<'a>(
    cells: &[&'a CellResult],
    (id, good): (&str, Good),
    told_apart: &ToldApart,
) -> (Vec<&'a CellResult>, Vec<(&'a CellResult, &'a CellResult)>) {
    let (mut stay, mut worse) = (Vec::new(), Vec::new());
    for cell in cells {
        let told = |other: &CellResult| told_apart.of_metric(id, &cell.cell, &other.cell);
        let others = cells.iter().copied();
        let better: Vec<&CellResult> = others.filter(|o| is_worse(told(o), good)).collect();
        match best(&better, id) {
            Some((best, _)) => worse.push((*cell, best)),
            None => stay.push(*cell),
        }
    }
    // Over launches of unlike blocks each may be worse than another: that rules out none.
    match stay.is_empty() {
        true => (cells.to_vec(), Vec::new()),
        false => (stay, worse),
    }
}

/// Of cells, the one with the best median in a metric, and which direction is good.
pub fn best<'a>(cells: &[&'a CellResult], id: &str) -> Option<(&'a CellResult, Good)> {
    // A cell whose values were late was not compared with anything.
    let known = cells
        .iter()
        .filter_map(|cell| Some((*cell, metric(cell, id)?)))
        .filter(|(_, metric)| !metric.is_late());
    let best = known.reduce(|best, next| {
        let (mine, theirs) = (next.1.estimate.value, best.1.estimate.value);
        let is_better = match next.1.good {
            Good::Lower => mine < theirs,
            Good::Higher => mine > theirs,
        };
        if is_better { next } else { best }
    });
    best.map(|(cell, metric)| (cell, metric.good))
}

/// What was told of a cell says that it is worse.
fn is_worse(told: Told, good: Good) -> bool {
    match good {
        Good::Lower => told.order == Ordering::Greater,
        Good::Higher => told.order == Ordering::Less,
    }
}

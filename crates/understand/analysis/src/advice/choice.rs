//! Which variant to ship under one set of limits.

use super::Grounds;
use crate::bootstrap::seed_for;
use crate::cell::yardstick;
use crate::metric::{loaded_phases, metrics};
use crate::verdict::{is_better_median, is_worse};
use tacho_run_folder::{CellResult, MetricResult, PhaseKind, Plan};

/// The decision for one set of limits.
#[derive(Debug)]
pub struct Choice<'a> {
    pub limits: &'a str,
    /// `None` when no launch was valid.
    pub pick: Option<&'a CellResult>,
    /// The baseline, if it has a valid launch.
    pub baseline: Option<&'a CellResult>,
    /// Others with valid launches, and where they left.
    pub others: Vec<Other<'a>>,
    /// Whether the pick meets every check.
    pub meets_checks: bool,
    pub criteria: Criteria,
}

/// A variant that was not chosen.
#[derive(Debug)]
pub struct Other<'a> {
    pub cell: &'a CellResult,
    pub lost_by: LostBy,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LostBy {
    /// It does not meet this check, which others meet.
    Check(String),
    /// It is worse in this metric than the best of those that were left.
    Metric(String),
    /// Not shown to be worse in anything.
    Nothing,
}

/// Ids of the metrics that decide, in the order in which they are asked.
#[derive(Debug, Clone)]
pub struct Criteria {
    pub failed: Option<String>,
    pub capacity: Option<String>,
    pub p99: Option<String>,
    pub ready: String,
    pub first_request: String,
    pub memory: String,
    pub disk: String,
}

impl Criteria {
    fn of(plan: &Plan, cells: &[&CellResult]) -> Self {
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
        let has_rss = |c: &&CellResult| metric(c, rss).is_some();
        let memory = if cells.iter().all(has_rss) {
            rss
        } else {
            "peak_working_set_bytes"
        };
        Self {
            failed: loaded_phases(plan)
                .next_back()
                .map(|l| of(l, "failed_share")),
            capacity,
            p99: open.map(|label| of(label, "response_p99_ms")),
            ready: "ready_ms".to_owned(),
            first_request: "first_request_ms".to_owned(),
            memory: memory.to_owned(),
            disk: "disk_bytes".to_owned(),
        }
    }

    fn in_order(&self) -> impl Iterator<Item = &String> {
        let first = [&self.failed, &self.capacity, &self.p99];
        let then = [&self.ready, &self.first_request, &self.memory, &self.disk];
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
    let criteria = Criteria::of(grounds.plan, &measured);
    let is_baseline = |c: &&&CellResult| c.variant == grounds.plan.baseline;

    let mut lost: Vec<Other<'a>> = Vec::new();
    let mut left = measured.clone();
    let failing = |cell: &CellResult| {
        let failed = grounds
            .checks
            .iter()
            .find(|c| c.cell == cell.cell && !c.passed);
        failed.map(|c| c.check.clone())
    };
    let meets_checks = left.iter().any(|c| failing(c).is_none());
    if meets_checks {
        left.retain(|cell| match failing(cell) {
            Some(check) => {
                let lost_by = LostBy::Check(check);
                lost.push(Other { cell, lost_by });
                false
            }
            None => true,
        });
    }
    for id in criteria.in_order() {
        let stay = not_worse_than_the_best(grounds.plan, &left, id);
        left.retain(|cell| {
            let stays = stay.contains(&cell.cell.as_str());
            if !stays {
                let lost_by = LostBy::Metric(id.clone());
                lost.push(Other { cell, lost_by });
            }
            stays
        });
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
    }
}

/// Cells that are not shown to be worse in a metric than the one with the best median. A cell
/// without the metric stays: nothing is known against it.
fn not_worse_than_the_best<'a>(plan: &Plan, cells: &[&'a CellResult], id: &str) -> Vec<&'a str> {
    let all = || cells.iter().map(|c| c.cell.as_str()).collect();
    let Some(metric_of_plan) = metrics(plan).into_iter().find(|m| m.id == id) else {
        return all();
    };
    let yardstick = yardstick(&metric_of_plan, plan.threshold);
    let values: Vec<(&CellResult, Vec<f64>)> = cells
        .iter()
        .filter_map(|cell| {
            let values = &metric(cell, id)?.values;
            Some((*cell, values.iter().map(|v| v.value).collect()))
        })
        .collect();
    let best = values.iter().reduce(|best, next| {
        if is_better_median(&next.1, &best.1, yardstick.good) {
            next
        } else {
            best
        }
    });
    let Some((_, best)) = best else {
        return all();
    };
    let seed = |cell: &CellResult| seed_for(plan.seed, &format!("choice {id} {}", cell.cell));
    let worse: Vec<&str> = values
        .iter()
        .filter(|(cell, values)| is_worse(values, best, &yardstick, seed(cell)))
        .map(|(cell, _)| cell.cell.as_str())
        .collect();
    cells
        .iter()
        .map(|c| c.cell.as_str())
        .filter(|cell| !worse.contains(cell))
        .collect()
}

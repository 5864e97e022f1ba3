//! Cumulative cost of one instance over the requests that it has served.
//!
//! Two costs are added up, both from `exec` on: processor time, and the time that users waited. For
//! processor time the curve goes through what was sampled (10 a second) and through the points at
//! ready and after the first request. For waiting it begins with the time to ready (a user who came
//! at `exec` would have waited for it) and adds the service time of each answered request: one by
//! one as far as they were recorded singly, then phase by phase from the histogram's sum. Service
//! time, because response time in an overloaded open phase counts the same backlog again for each
//! request in it, and so measures the schedule rather than the variant.
//!
//! Of several processes (`pods`) only the first is sampled, while requests are those of all, which
//! take them in turn: its share of them is what its processor time is held against.
//!
//! Beyond the last request the curve goes on at the last loaded phase's cost a request, and is
//! flagged.

use crate::metric::read::answered;
use std::collections::BTreeMap;
use tacho_run_folder::{
    CostKind, CostPoint, LaunchData, LaunchOutcome, PhaseRecord, RequestRow, RowOutcome, RunData,
    Sample,
};
use tacho_statistics::bootstrap::median;

/// Curves go on to this many times what was measured. Further out a small error of the slope is all
/// that the curve shows.
pub const EXTRAPOLATION: f64 = 10.0;

/// One launch's cost over requests: pieces of straight lines, then a slope.
#[derive(Debug, Clone, PartialEq)]
pub struct CostCurve {
    /// Ascending in both. Equal numbers of requests with rising cost are a pause in the load.
    knots: Vec<(f64, f64)>,
    slope: f64,
}

impl CostCurve {
    /// From points (requests, cost) in any order, and the cost a request beyond the last. Costs
    /// never fall: a point below an earlier one is an error of sampling and is raised to it. `None`
    /// without points or with numbers that are not finite.
    #[must_use]
    pub fn new(mut knots: Vec<(f64, f64)>, slope: f64) -> Option<Self> {
        let finite = knots.iter().all(|(n, c)| n.is_finite() && c.is_finite());
        if knots.is_empty() || !finite || !slope.is_finite() {
            return None;
        }
        knots.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut highest = f64::MIN;
        for (_, cost) in &mut knots {
            highest = highest.max(*cost);
            *cost = highest;
        }
        Some(Self {
            knots,
            slope: slope.max(0.0),
        })
    }

    /// Requests up to which it was measured.
    #[must_use]
    pub fn measured(&self) -> f64 {
        self.knots.last().map_or(0.0, |(requests, _)| *requests)
    }

    /// Cost when this many requests were served.
    #[must_use]
    pub fn at(&self, requests: f64) -> f64 {
        let next = self.knots.partition_point(|(n, _)| *n < requests);
        let before = next.checked_sub(1).map(|i| self.knots[i]);
        match (before, self.knots.get(next)) {
            (_, Some((n, cost))) if *n == requests => *cost,
            (None, Some((_, cost))) => *cost,
            (Some((n0, c0)), Some((n1, c1))) => c0 + (c1 - c0) * (requests - n0) / (n1 - n0),
            (_, None) => {
                let end = self.measured();
                self.at(end) + self.slope * (requests - end)
            }
        }
    }
}

/// The curves of a cell's completed launches.
#[derive(Debug, Clone, PartialEq)]
pub struct CellCost {
    /// The cell, by its `id` in the plan.
    pub cell: String,
    /// Name of the variant.
    pub variant: String,
    /// Name of its limits.
    pub limits: String,
    /// The blocks of the launches, in the order of the curves.
    blocks: Vec<u32>,
    cpu: Vec<CostCurve>,
    waiting: Vec<CostCurve>,
}

impl CellCost {
    /// What each launch had cost when it had served so many requests, by its block.
    #[must_use]
    pub fn by_block(&self, kind: CostKind, requests: f64) -> BTreeMap<u32, f64> {
        let costs = self.curves(kind).iter().map(|curve| curve.at(requests));
        self.blocks.iter().copied().zip(costs).collect()
    }

    /// One curve a launch.
    #[must_use]
    pub fn curves(&self, kind: CostKind) -> &[CostCurve] {
        match kind {
            CostKind::Cpu => &self.cpu,
            CostKind::Waiting => &self.waiting,
        }
    }

    /// Requests up to which every launch was measured; zero without launches.
    #[must_use]
    pub fn measured(&self) -> f64 {
        let ends = self
            .cpu
            .iter()
            .chain(&self.waiting)
            .map(CostCurve::measured);
        ends.reduce(f64::min).unwrap_or(0.0)
    }

    /// Medians over launches at these numbers of requests; empty without launches.
    #[must_use]
    pub fn points(&self, counts: &[f64]) -> Vec<CostPoint> {
        let at = |curves: &[CostCurve], n: f64| {
            median(&curves.iter().map(|c| c.at(n)).collect::<Vec<_>>())
        };
        counts
            .iter()
            .filter_map(|&requests| {
                Some(CostPoint {
                    requests,
                    cpu_s: at(&self.cpu, requests)?,
                    waiting_s: at(&self.waiting, requests)?,
                    extrapolated: requests > self.measured(),
                })
            })
            .collect()
    }
}

/// The costs of each cell, in the order of the plan.
#[must_use]
pub fn cell_costs(run: &RunData) -> Vec<CellCost> {
    run.plan
        .cells
        .iter()
        .map(|cell| {
            let of_cell = run.launches.iter().filter(|l| l.record.cell == cell.id);
            let (blocks, curves): (Vec<u32>, Vec<_>) = curves(of_cell).into_iter().unzip();
            let (cpu, waiting) = curves.into_iter().unzip();
            CellCost {
                cell: cell.id.clone(),
                variant: cell.variant.clone(),
                limits: cell.limits.name.clone(),
                blocks,
                cpu,
                waiting,
            }
        })
        .collect()
}

/// The curves of completed launches, of processor time and of waiting, by the blocks of the
/// launches. One that was run again, since the generator was late in it, shares its block with the
/// repetition: the first counts, as in all that the generator did not touch.
fn curves<'a>(
    launches: impl Iterator<Item = &'a LaunchData>,
) -> BTreeMap<u32, (CostCurve, CostCurve)> {
    let completed = launches.filter(|l| l.record.outcome == LaunchOutcome::Completed);
    let mut completed: Vec<&LaunchData> = completed.collect();
    completed.sort_by_key(|launch| launch.record.number);
    let mut curves = BTreeMap::new();
    for launch in completed {
        if let Some(both) = cpu_curve(launch).zip(waiting_curve(launch)) {
            curves.entry(launch.record.block()).or_insert(both);
        }
    }
    curves
}

/// Numbers of requests at which all cells of a run are given: 0, 1, 2, 5, 10, ... to ten times what
/// was measured, and the end of what was measured.
#[must_use]
pub fn request_counts(costs: &[CellCost]) -> Vec<f64> {
    let ends = costs.iter().map(CellCost::measured).filter(|n| *n > 0.0);
    let Some(end) = ends.reduce(f64::min) else {
        return Vec::new();
    };
    let decades = (0..).map(|power| 10f64.powi(power));
    let mut counts: Vec<f64> = decades
        .flat_map(|ten| [ten, 2.0 * ten, 5.0 * ten])
        .take_while(|n| *n <= end * EXTRAPOLATION)
        .chain([0.0, end, end * EXTRAPOLATION])
        .collect();
    counts.sort_by(f64::total_cmp);
    counts.dedup();
    counts
}

/// Processor seconds of one launch. `None` when it served nothing or its CPU time is not known.
#[must_use]
pub fn cpu_curve(launch: &LaunchData) -> Option<CostCurve> {
    let record = &launch.record;
    let last = last_loaded(&record.phases)?;
    let at_ready = cpu_at_ready(launch)?;
    let processes = 1.0 + record.pods.len() as f64;
    let total = record.phases.iter().map(answered).sum::<u64>() as f64 / processes;
    let mut knots = vec![(0.0, at_ready)];
    if let Some(point) = record.resources.after_first_request {
        knots.push((1.0, point.cpu_s));
    }
    let ready_ms = record.time_line.ready_ms.unwrap_or(0.0);
    let sampled = launch.samples.iter().filter(|s| s.at_ms >= ready_ms);
    knots.extend(sampled.map(|s| ((s.requests as f64 / processes).min(total), s.cpu_s)));
    if knots.iter().all(|(requests, _)| *requests < 2.0) {
        // Points at the ends of the phases, where nothing finer is known.
        let (mut requests, mut cpu_s) = (0, at_ready);
        for phase in &record.phases {
            requests += answered(phase);
            // That of a phase is of all processes.
            cpu_s += phase.subject_cpu_s / processes;
            knots.push((requests as f64 / processes, cpu_s));
        }
    } else if let Some(point) = record.resources.at_end {
        knots.push((total, point.cpu_s));
    }
    CostCurve::new(knots, last.subject_cpu_s / answered(last) as f64)
}

fn cpu_at_ready(launch: &LaunchData) -> Option<f64> {
    let resources = &launch.record.resources;
    if let Some(point) = resources.at_ready {
        return Some(point.cpu_s);
    }
    let ready_ms = launch.record.time_line.ready_ms?;
    let after = launch.samples.partition_point(|s| s.at_ms < ready_ms);
    let sample: Option<&Sample> = launch.samples.get(after).or(launch.samples.last());
    Some(sample?.cpu_s)
}

/// Seconds that users of one launch waited. `None` when it served nothing or was never ready.
#[must_use]
pub fn waiting_curve(launch: &LaunchData) -> Option<CostCurve> {
    let record = &launch.record;
    let last = last_loaded(&record.phases)?;
    let mut waited = record.time_line.ready_ms? / 1e3;
    let mut served = 0u64;
    let mut knots = vec![(0.0, waited)];
    for (index, phase) in record.phases.iter().enumerate() {
        let singly = service_times_s(&launch.requests, index);
        let phase_total = answered(phase).max(singly.len() as u64);
        let phase_s = mean_service_s(phase) * phase_total as f64;
        let mut phase_waited = 0.0;
        for service_s in &singly {
            phase_waited += service_s;
            served += 1;
            knots.push((served as f64, waited + phase_waited));
        }
        served += phase_total - singly.len() as u64;
        waited += phase_s.max(phase_waited);
        knots.push((served as f64, waited));
    }
    CostCurve::new(knots, mean_service_s(last))
}

/// Service times of the answered requests of a phase that were recorded singly, as they ended.
fn service_times_s(rows: &[RequestRow], phase: usize) -> Vec<f64> {
    let mut answered: Vec<&RequestRow> = rows
        .iter()
        .filter(|row| row.phase as usize == phase && matches!(row.outcome, RowOutcome::Answered(_)))
        .collect();
    answered.sort_by_key(|row| row.end_ns);
    answered
        .iter()
        .map(|row| row.end_ns.saturating_sub(row.sent_ns) as f64 / 1e9)
        .collect()
}

fn mean_service_s(phase: &PhaseRecord) -> f64 {
    phase.service_time_ms.map_or(0.0, |q| q.mean / 1e3)
}

fn last_loaded(phases: &[PhaseRecord]) -> Option<&PhaseRecord> {
    phases.iter().rfind(|phase| answered(phase) > 0)
}

#[cfg(test)]
#[path = "cost_tests.rs"]
mod tests;

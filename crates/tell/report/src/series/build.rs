//! Puts the charts' data together.

use super::data::{
    Break, CellCharts, ChartData, CostSeries, FirstRequests, LatencyCurve, Phase, Point, Section,
    Stage, StartDot, Startup, ThroughputSeries,
};
use super::grid::band;
use super::memory::{evidence, memory};
use super::phase_seconds::PhaseSeconds;
use super::quantiles::curve;
use super::thin::{extremes, log_bucket, median, round};
use super::throughput::throughput;
use super::warm_up::warm_up;
use crate::overview::{LimitsOverview, Row};
use crate::words;
use std::collections::BTreeMap;
use tacho_run_folder::{
    CostKind, LaunchData, LaunchOutcome, PhaseKind, PhaseTimes, RequestRow, RunData, TimeLine,
};

/// Thins everything out.
#[must_use]
pub fn chart_data(run: &RunData, overview: &[LimitsOverview<'_>]) -> ChartData {
    let phases: Vec<Phase> = run
        .plan
        .phases
        .iter()
        .filter_map(|p| {
            let kind = match p.kind {
                PhaseKind::Cold { .. } => "cold",
                PhaseKind::Settle { .. } | PhaseKind::Closed { .. } => "closed",
                PhaseKind::Open { .. } | PhaseKind::Scheduled { .. } | PhaseKind::Search(_) => {
                    "open"
                }
                PhaseKind::Rest { .. } => return None,
            };
            Some(Phase {
                label: p.label.clone(),
                kind,
            })
        })
        .collect();
    let mut variants: Vec<String> = Vec::new();
    for cell in &run.plan.cells {
        if !variants.contains(&cell.variant) {
            variants.push(cell.variant.clone());
        }
    }
    let sections = overview
        .iter()
        .map(|limits| Section {
            limits: limits.limits.name.clone(),
            phases: phases.clone(),
            cells: limits
                .rows
                .iter()
                .map(|row| cell(run, row, &phases))
                .collect(),
            breaks: limits
                .break_evens
                .iter()
                .filter(|b| words::crosses(b))
                .filter_map(|b| {
                    Some(Break {
                        cost: b.cost,
                        at: b.requests?,
                        before: b.cheaper_before.clone(),
                        after: b.cheaper_after.clone(),
                    })
                })
                .collect(),
            memory_limit_bytes: limits.limits.memory_bytes,
            evidence: evidence(limits),
        })
        .collect();
    ChartData {
        variants,
        sections,
        unreadable_lines: run.unreadable_lines,
    }
}

fn counts(outcome: &LaunchOutcome) -> bool {
    matches!(outcome, LaunchOutcome::Completed)
}

fn cell(run: &RunData, row: &Row<'_>, phases: &[Phase]) -> CellCharts {
    let times = run.times.get(&row.cell.cell);
    let launches: Vec<&LaunchData> = run
        .launches
        .iter()
        .filter(|l| l.record.cell == row.cell.cell)
        .collect();
    let valid: Vec<&LaunchData> = launches
        .iter()
        .copied()
        .filter(|l| counts(&l.record.outcome))
        .collect();
    CellCharts {
        variant: row.cell.variant.clone(),
        startup: startup(row, &launches),
        time_line: time_line(&valid),
        first: first_requests(&valid),
        latency: phases
            .iter()
            .filter_map(|phase| Some(latency(&phase.label, times?.get(&phase.label)?)))
            .collect(),
        throughput: phases
            .iter()
            .filter_map(|phase| {
                times?.get(&phase.label)?;
                let of_launches: Vec<Vec<Point>> = valid
                    .iter()
                    .map(|launch| throughput(&PhaseSeconds::of(launch, &phase.label)))
                    .filter(|points| !points.is_empty())
                    .collect();
                Some(ThroughputSeries {
                    phase: phase.label.clone(),
                    band: band(&of_launches),
                })
            })
            .collect(),
        warm_up: warm_up(run, &valid),
        // If no launch of a variant is valid, show the memory of all its launches: how much it
        // needed until it ended is then the question.
        memory: memory(if valid.is_empty() { &launches } else { &valid }),
        split: row
            .cell
            .memory
            .iter()
            .filter_map(|memory| memory.split.as_ref())
            .flat_map(|split| &split.parts)
            .map(|part| (part.name.clone(), round(part.bytes)))
            .collect(),
        cost: vec![cost(row, CostKind::Waiting), cost(row, CostKind::Cpu)],
    }
}

fn startup(row: &Row<'_>, launches: &[&LaunchData]) -> Startup {
    Startup {
        estimate: row
            .cell
            .metrics
            .iter()
            .find(|m| m.id == "ready_ms")
            .map(|m| m.estimate),
        dots: launches
            .iter()
            .filter_map(|l| {
                Some(StartDot {
                    launch: l.record.number,
                    ms: round(l.record.time_line.ready_ms?),
                    counts: counts(&l.record.outcome),
                })
            })
            .collect(),
    }
}

/// The medians, sorted by time. A subject that counts as ready by a log line may be ready before
/// its first 2xx.
fn time_line(launches: &[&LaunchData]) -> Vec<Stage> {
    let instant = |get: fn(&TimeLine) -> Option<f64>| {
        median(
            launches
                .iter()
                .filter_map(|l| get(&l.record.time_line))
                .collect(),
        )
    };
    let mut instants: Vec<(&'static str, f64)> = [
        ("listening", instant(|t| t.listening_ms)),
        ("first 2xx", instant(|t| t.first_2xx_ms)),
        ("ready", instant(|t| t.ready_ms)),
    ]
    .into_iter()
    .filter_map(|(name, at)| Some((name, at?)))
    .collect();
    instants.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut from_ms = 0.0;
    instants
        .into_iter()
        .map(|(until, to)| {
            let to_ms = round(to);
            let stage = Stage {
                until,
                from_ms,
                to_ms,
            };
            from_ms = to_ms;
            stage
        })
        .collect()
}

/// How far the chart of the first requests goes.
const FIRST_REQUESTS: usize = 2_000;

/// Only requests of the first phase. Later phases send requests in parallel, which cannot be
/// compared.
fn first_requests(launches: &[&LaunchData]) -> FirstRequests {
    let mut first = FirstRequests::default();
    let mut buckets: BTreeMap<usize, Vec<Point>> = BTreeMap::new();
    for launch in launches {
        let phase = launch.requests.iter().map(|r| r.phase).min();
        let mut rows: Vec<&RequestRow> = launch
            .requests
            .iter()
            .filter(|r| Some(r.phase) == phase)
            .collect();
        rows.sort_by_key(|r| r.intended_ns);
        let numbered = rows
            .into_iter()
            .take(FIRST_REQUESTS)
            .enumerate()
            .map(|(i, row)| (row, [(i + 1) as f64, row.response_time_ms()]));
        let (answered, failed): (Vec<_>, Vec<_>) =
            numbered.partition(|(row, _)| row.outcome.is_good());
        let answered: Vec<Point> = answered.into_iter().map(|(_, p)| p).collect();
        let failed: Vec<Point> = failed.into_iter().map(|(_, p)| p).collect();
        for point in &answered {
            buckets
                .entry(log_bucket(point[0] as usize))
                .or_default()
                .push(*point);
        }
        let by_number = |p: &Point| log_bucket(p[0] as usize);
        first.launches.push(extremes(&answered, by_number));
        first.failed.extend(extremes(&failed, by_number));
    }
    first.median = buckets
        .values()
        .filter_map(|points| {
            let x = median(points.iter().map(|p| p[0]).collect())?;
            let y = median(points.iter().map(|p| p[1]).collect())?;
            Some([round(x), round(y)])
        })
        .collect();
    first
}

fn latency(label: &str, times: &PhaseTimes) -> LatencyCurve {
    let points = |h: &Option<_>| h.as_ref().map(curve).unwrap_or_default();
    LatencyCurve {
        phase: label.to_owned(),
        response: points(&times.response),
        service: points(&times.service),
        count: times
            .response
            .as_ref()
            .map_or(0, hdrhistogram::Histogram::len),
        failed: times.failed,
    }
}

/// Points of a curve of cost in the page, at most.
const COST_POINTS: usize = 160;

fn cost(row: &Row<'_>, cost: CostKind) -> CostSeries {
    let of = |p: &tacho_run_folder::CostPoint| {
        let seconds = match cost {
            CostKind::Cpu => p.cpu_s,
            CostKind::Waiting => p.waiting_s,
        };
        [round(p.requests), round(seconds)]
    };
    let points = &row.cell.cost;
    let split = points
        .iter()
        .position(|p| p.extrapolated)
        .unwrap_or(points.len());
    let every = points.len().div_ceil(COST_POINTS).max(1);
    let thin = |points: &[tacho_run_folder::CostPoint]| -> Vec<Point> {
        let last = points.len().saturating_sub(1);
        points
            .iter()
            .enumerate()
            .filter(|(i, _)| i % every == 0 || *i == last)
            .map(|(_, p)| of(p))
            .collect()
    };
    CostSeries {
        cost,
        measured: thin(&points[..split]),
        extrapolated: thin(&points[split.saturating_sub(1).min(points.len())..])
            .into_iter()
            .skip(usize::from(split == points.len()))
            .collect(),
    }
}

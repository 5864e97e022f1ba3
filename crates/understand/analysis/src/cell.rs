//! What is known of one cell: its launches counted, its metrics, each against the baseline.

use crate::bootstrap::{median_interval, seed_for};
use crate::cost::CellCost;
use crate::memory;
use crate::metric::{Metric, metrics};
use crate::verdict::{Yardstick, compare};
use tacho_run_folder::{
    Cell, CellResult, Comparison, LaunchData, LaunchOutcome, LaunchRecord, LaunchSearch,
    LaunchValue, MetricResult, RunData,
};

/// One result a cell, in the order of the plan. `costs` are those of the same cells.
#[must_use]
pub fn cells(run: &RunData, costs: &[CellCost], counts: &[f64]) -> Vec<CellResult> {
    let metrics = metrics(&run.plan);
    run.plan
        .cells
        .iter()
        .zip(costs)
        .map(|(cell, cost)| {
            let launches = launches_of(run, cell);
            let count = |is: fn(&LaunchOutcome) -> bool| {
                launches.iter().filter(|l| is(&l.record.outcome)).count() as u32
            };
            CellResult {
                cell: cell.id.clone(),
                variant: cell.variant.clone(),
                limits: cell.limits.name.clone(),
                valid: count(|o| matches!(o, LaunchOutcome::Completed)),
                invalid: count(|o| matches!(o, LaunchOutcome::Invalid { .. })),
                failed: count(|o| matches!(o, LaunchOutcome::Failed { .. })),
                metrics: metrics
                    .iter()
                    .filter_map(|metric| metric_of_cell(run, metric, cell))
                    .collect(),
                cost: cost.points(counts),
                searches: launches.iter().flat_map(|l| searches(&l.record)).collect(),
                memory: memory::of_cell(run, cell),
            }
        })
        .collect()
}

fn launches_of<'a>(run: &'a RunData, cell: &Cell) -> Vec<&'a LaunchData> {
    let mut launches: Vec<_> = run
        .launches
        .iter()
        .filter(|l| l.record.cell == cell.id)
        .collect();
    launches.sort_by_key(|l| l.record.number);
    launches
}

/// Only of a launch that counts, as with metrics.
fn searches(launch: &LaunchRecord) -> Vec<LaunchSearch> {
    let phases = match launch.outcome {
        LaunchOutcome::Completed => launch.phases.as_slice(),
        _ => &[],
    };
    phases
        .iter()
        .filter_map(|phase| {
            Some(LaunchSearch {
                launch: launch.number,
                phase: phase.label.clone(),
                search: phase.search.clone()?,
            })
        })
        .collect()
}

fn values(run: &RunData, metric: &Metric, cell: &Cell) -> Vec<LaunchValue> {
    let variant = run.variants.iter().find(|v| v.name == cell.variant);
    metric.values(&launches_of(run, cell), variant)
}

fn metric_of_cell(run: &RunData, metric: &Metric, cell: &Cell) -> Option<MetricResult> {
    let values = values(run, metric, cell);
    let estimate = median_interval(&numbers(&values))?;
    Some(MetricResult {
        id: metric.id.clone(),
        name: metric.name.clone(),
        unit: metric.row.unit.to_owned(),
        good: metric.row.good,
        versus_baseline: versus_baseline(run, metric, cell, &values),
        values,
        estimate,
    })
}

fn numbers(values: &[LaunchValue]) -> Vec<f64> {
    values.iter().map(|v| v.value).collect()
}

fn versus_baseline(
    run: &RunData,
    metric: &Metric,
    cell: &Cell,
    values: &[LaunchValue],
) -> Option<Comparison> {
    let plan = &run.plan;
    let baseline = plan
        .cells
        .iter()
        .find(|c| c.variant == plan.baseline && c.limits.name == cell.limits.name)
        .filter(|baseline| baseline.id != cell.id)?;
    let seed = seed_for(plan.seed, &format!("{} {}", metric.id, cell.id));
    compare(
        &numbers(values),
        &numbers(&self::values(run, metric, baseline)),
        &yardstick(metric, plan.threshold),
        seed,
    )
}

/// How a metric is compared in this run.
#[must_use]
pub fn yardstick(metric: &Metric, threshold: f64) -> Yardstick {
    Yardstick {
        good: metric.row.good,
        floor: metric.row.floor,
        fact: metric.is_fact(),
        threshold,
    }
}

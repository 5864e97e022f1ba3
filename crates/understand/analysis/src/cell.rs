//! What is known of one cell: its launches counted, its metrics, each against the baseline.

use crate::cost::CellCost;
use crate::memory;
use crate::metric::{Metric, Values, metrics};
use crate::told_apart::{Pairing, ToldApart};
use crate::verdict::{Sample, Yardstick, compare};
use std::collections::BTreeMap;
use tacho_run_folder::{
    Cell, CellResult, Comparison, LaunchData, LaunchOutcome, LaunchRecord, LaunchSearch,
    LaunchValue, MetricResult, Plan, RunData,
};
use tacho_statistics::bootstrap::{median_interval, seed_for};

/// The values of every metric of every cell, read once.
pub struct Measured<'a> {
    run: &'a RunData,
    metrics: Vec<Metric>,
    /// By metric and cell.
    values: BTreeMap<(String, String), Values>,
    /// The block of each launch, by its number.
    blocks: BTreeMap<u32, u32>,
}

impl<'a> Measured<'a> {
    /// Reads a run.
    #[must_use]
    pub fn of(run: &'a RunData) -> Self {
        let metrics = metrics(&run.plan);
        let block = |launch: &LaunchData| (launch.record.number, launch.record.block());
        let blocks: BTreeMap<u32, u32> = run.launches.iter().map(block).collect();
        let mut values = BTreeMap::new();
        for cell in &run.plan.cells {
            let launches = launches_of(run, cell);
            let variant = run.variants.iter().find(|v| v.name == cell.variant);
            for metric in &metrics {
                let key = (metric.id.clone(), cell.id.clone());
                let mut found = metric.values(&launches, variant);
                found.keep_one_a_block(&blocks);
                values.insert(key, found);
            }
        }
        Self {
            run,
            metrics,
            values,
            blocks,
        }
    }

    /// The plan of the run.
    #[must_use]
    pub fn plan(&self) -> &'a Plan {
        &self.run.plan
    }

    /// Every metric of the run.
    #[must_use]
    pub fn metrics(&self) -> &[Metric] {
        &self.metrics
    }

    fn all_values(&self, metric: &str, cell: &Cell) -> Option<&Values> {
        let key = (metric.to_owned(), cell.id.clone());
        self.values.get(&key)
    }

    fn values(&self, metric: &str, cell: &Cell) -> &[LaunchValue] {
        let values = self.all_values(metric, cell);
        values.map_or(&[], |values| &values.counted)
    }

    /// Whether every cell with a completed launch has a value of this metric.
    #[must_use]
    pub fn is_known_of_all(&self, id: &str) -> bool {
        let cells = self.plan().cells.iter();
        let mut with_launches = cells.filter(|cell| {
            let mut launches = launches_of(self.run, cell).into_iter();
            launches.any(|l| l.record.outcome == LaunchOutcome::Completed)
        });
        with_launches.all(|cell| !self.values(id, cell).is_empty())
    }

    /// The values of a cell by the blocks of its launches.
    #[must_use]
    pub fn by_block(&self, metric: &Metric, cell: &Cell) -> BTreeMap<u32, f64> {
        let values = self.values(&metric.id, cell).iter();
        let by_block = values.filter_map(|v| Some((*self.blocks.get(&v.launch)?, v.value)));
        by_block.collect()
    }

    /// Whether two cells can be compared in a metric. Where launches of both never became steady,
    /// nobody knows which of them would have taken longer.
    #[must_use]
    pub fn is_comparable(&self, metric: &Metric, cell: &Cell, other: &Cell) -> bool {
        let has_bounds = |cell: &Cell| {
            let values = self.all_values(&metric.id, cell);
            values.is_some_and(|values| metric.has_bounds(values))
        };
        !(has_bounds(cell) && has_bounds(other))
    }

    /// The values of two cells, to be compared.
    fn sample(&self, metric: &Metric, cell: &Cell, other: &Cell) -> Sample {
        let of_other = self.by_block(metric, other);
        let of_both = self.by_block(metric, cell).into_iter();
        let pairs: Vec<(f64, f64)> = of_both
            .filter_map(|(block, value)| Some((value, *of_other.get(&block)?)))
            .collect();
        match Pairing::of(self.plan()).holds(pairs.len()) {
            true => Sample::Paired(pairs),
            false => Sample::Apart(
                numbers(self.values(&metric.id, cell)),
                numbers(self.values(&metric.id, other)),
            ),
        }
    }
}

/// One result a cell, in the order of the plan. `costs` are those of the same cells.
#[must_use]
pub fn cells(
    measured: &Measured<'_>,
    told_apart: &ToldApart,
    costs: &[CellCost],
    counts: &[f64],
) -> Vec<CellResult> {
    let run = measured.run;
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
                metrics: measured
                    .metrics
                    .iter()
                    .filter_map(|metric| metric_of_cell(measured, told_apart, metric, cell))
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

/// The searches of a launch. Like metrics, they count only when the launch was completed.
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

fn metric_of_cell(
    measured: &Measured<'_>,
    told_apart: &ToldApart,
    metric: &Metric,
    cell: &Cell,
) -> Option<MetricResult> {
    let Values {
        counted,
        late,
        unsteady,
    } = measured.all_values(&metric.id, cell)?;
    let values = if counted.is_empty() { late } else { counted };
    let estimate = median_interval(&numbers(values))?;
    Some(MetricResult {
        id: metric.id.clone(),
        name: metric.name.clone(),
        unit: metric.row.unit.to_owned(),
        good: metric.row.good,
        versus_baseline: versus_baseline(measured, told_apart, metric, cell),
        values: values.to_vec(),
        late: late.iter().map(|v| v.launch).collect(),
        unsteady: unsteady.clone(),
        estimate,
    })
}

fn numbers(values: &[LaunchValue]) -> Vec<f64> {
    values.iter().map(|v| v.value).collect()
}

fn versus_baseline(
    measured: &Measured<'_>,
    told_apart: &ToldApart,
    metric: &Metric,
    cell: &Cell,
) -> Option<Comparison> {
    let plan = measured.plan();
    let baseline = plan
        .cells
        .iter()
        .find(|c| c.variant == plan.baseline && c.limits.name == cell.limits.name)
        .filter(|baseline| baseline.id != cell.id)
        .filter(|baseline| measured.is_comparable(metric, cell, baseline))?;
    compare(
        &measured.sample(metric, cell, baseline),
        &yardstick(metric, plan.threshold),
        told_apart.of_metric(&metric.id, &cell.id, &baseline.id),
        seed_for(plan.seed, &format!("{} {}", metric.id, cell.id)),
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

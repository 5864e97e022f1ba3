//! The difference, from launches without instruments.

use super::builds::Builds;
use tacho_diagnosis_report::Measured;
use tacho_run_folder::{CellResult, Good, MetricResult, Results, Verdict};

/// By which a build is slower or dearer for a request: of the last phase in which requests came.
const FIGURES: [&str; 4] = [
    "throughput",
    "cpu_per_request_ms",
    "response_p50_ms",
    "response_p99_ms",
];
/// A tail alone scatters too much to be looked into: not one request in a hundred shows it.
const DECIDING: [&str; 3] = ["throughput", "cpu_per_request_ms", "response_p50_ms"];

/// Candidate against baseline.
pub fn figures(results: &Results, builds: &Builds) -> Vec<Measured> {
    let Some(candidate) = cell(results, &builds.candidate) else {
        return Vec::new();
    };
    let baseline = builds
        .baseline
        .as_ref()
        .and_then(|name| cell(results, name));
    last_phase(candidate)
        .into_iter()
        .map(|metric| {
            let before = baseline.and_then(|cell| cell.metrics.iter().find(|m| m.id == metric.id));
            let against = metric.versus_baseline.as_ref();
            Measured {
                id: metric.id.clone(),
                name: metric.name.clone(),
                unit: metric.unit.clone(),
                baseline: before.map(|m| m.estimate),
                candidate: metric.estimate,
                ratio: against.map(|c| c.ratio),
                verdict: against.map(|c| c.verdict),
            }
        })
        .collect()
}

/// What the launches say of the candidate: the worst of the figures that decide.
pub fn verdict(results: &Results, builds: &Builds) -> Verdict {
    let Some(candidate) = cell(results, &builds.candidate) else {
        return Verdict::Inconclusive;
    };
    let deciding = last_phase(candidate).into_iter().filter(|metric| {
        let ends_with = |name: &&str| metric.id.ends_with(&format!(".{name}"));
        DECIDING.iter().any(ends_with)
    });
    let verdicts: Vec<Verdict> = deciding
        .filter_map(|metric| Some(metric.versus_baseline.as_ref()?.verdict))
        .collect();
    let worst_first = [Verdict::Worse, Verdict::Inconclusive, Verdict::Same];
    let worst = worst_first
        .into_iter()
        .find(|verdict| verdicts.contains(verdict));
    worst.unwrap_or(if verdicts.is_empty() {
        Verdict::Inconclusive
    } else {
        Verdict::Better
    })
}

/// The figure in which the candidate lost most, of those that are a cost: less is better.
pub fn deciding<'r>(results: &'r Results, builds: &Builds) -> Option<&'r MetricResult> {
    let costs = last_phase(cell(results, &builds.candidate)?)
        .into_iter()
        .filter(|metric| {
            let decides = DECIDING
                .iter()
                .any(|name| metric.id.ends_with(&format!(".{name}")));
            decides && metric.good == Good::Lower
        });
    let loss = |metric: &&MetricResult| {
        metric
            .versus_baseline
            .as_ref()
            .map_or(0.0, |c| c.ratio.value)
    };
    costs.max_by(|a, b| loss(a).total_cmp(&loss(b)))
}

/// One value a launch.
pub fn values(results: &Results, variant: &str, id: &str) -> Vec<f64> {
    let metrics = cell(results, variant)
        .into_iter()
        .flat_map(|cell| &cell.metrics);
    let found = metrics.filter(|metric| metric.id == id);
    found
        .flat_map(|metric| metric.values.iter().map(|v| v.value))
        .collect()
}

fn cell<'r>(results: &'r Results, variant: &str) -> Option<&'r CellResult> {
    results.cells.iter().find(|cell| cell.variant == variant)
}

/// The figures of the last phase that has them.
fn last_phase(cell: &CellResult) -> Vec<&MetricResult> {
    let name_of = |metric: &MetricResult| {
        let (phase, name) = metric.id.rsplit_once('.')?;
        FIGURES.contains(&name).then(|| phase.to_owned())
    };
    let last = cell.metrics.iter().filter_map(name_of).next_back();
    let metrics = cell.metrics.iter();
    metrics
        .filter(|m| last.is_some() && name_of(m) == last)
        .collect()
}

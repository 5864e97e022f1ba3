//! Every metric as the JSON of JMH (`-rf json`, <https://github.com/openjdk/jmh>), which viewers
//! and CI plugins of benchmarks read: one benchmark a metric and cell, one fork a launch, one
//! iteration a fork.
//!
//! The score is the median over launches and not JMH's mean; `scoreConfidence` is its 95 %
//! interval, `scoreError` half of that. JMH itself takes 99.9 %.

use crate::{Analysed, Exporter, Format, ReportError};
use serde::Serialize;
use std::collections::BTreeMap;
use tacho_run_folder::{CellResult, MetricResult};

/// A run as JMH's JSON.
pub const JMH: Format = Exporter {
    option: "jmh",
    variable: "TACHO_JMH",
    help: "Also write every metric as JMH's JSON (- for standard output)",
    export: document,
};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Benchmark<'a> {
    benchmark: String,
    mode: &'static str,
    threads: u32,
    forks: usize,
    warmup_iterations: u32,
    measurement_iterations: u32,
    params: BTreeMap<&'static str, &'a str>,
    primary_metric: Score,
    secondary_metrics: BTreeMap<(), ()>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Score {
    score: f64,
    score_error: f64,
    score_confidence: [f64; 2],
    score_unit: String,
    /// The iterations of each fork.
    raw_data: Vec<[f64; 1]>,
}

fn document(of: &Analysed) -> Result<Vec<u8>, ReportError> {
    let name = &of.run.header.name;
    let cells = of.results.cells.iter();
    let benchmarks: Vec<Benchmark<'_>> = cells
        .flat_map(|cell| cell.metrics.iter().map(|metric| one(name, cell, metric)))
        .collect();
    let mut text = serde_json::to_vec_pretty(&benchmarks)?;
    text.push(b'\n');
    Ok(text)
}

fn one<'a>(run: &str, cell: &'a CellResult, metric: &'a MetricResult) -> Benchmark<'a> {
    let estimate = &metric.estimate;
    Benchmark {
        benchmark: format!("{run}.{}", metric.id),
        // Of JMH's four modes, use throughput for rates and single-shot for everything else.
        mode: match &*metric.unit {
            "1/s" => "thrpt",
            _ => "ss",
        },
        threads: 1,
        forks: metric.values.len(),
        warmup_iterations: 0,
        measurement_iterations: 1,
        params: BTreeMap::from([("variant", &*cell.variant), ("limits", &*cell.limits)]),
        primary_metric: Score {
            score: estimate.value,
            score_error: (estimate.high - estimate.low) / 2.0,
            score_confidence: [estimate.low, estimate.high],
            score_unit: unit(&metric.unit),
            raw_data: metric.values.iter().map(|value| [value.value]).collect(),
        },
        secondary_metrics: BTreeMap::new(),
    }
}

/// The unit in JMH's spelling, where JMH knows it.
fn unit(unit: &str) -> String {
    match unit {
        "1/s" => "ops/s".to_owned(),
        "ms" | "s" => format!("{unit}/op"),
        other => other.to_owned(),
    }
}

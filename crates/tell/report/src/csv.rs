//! A row for each metric of each cell, for spreadsheets and scripts.

use crate::{Analysed, Exporter, Format, ReportError};
use serde::Serialize;
use tacho_run_folder::{CellResult, MetricResult, Verdict};

/// A run as CSV.
pub const CSV: Format = Exporter {
    option: "csv",
    variable: "TACHO_CSV",
    help: "Also write a row for each metric of each cell as CSV (- for standard output)",
    export: rows,
};

fn rows(of: &Analysed) -> Result<Vec<u8>, ReportError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for cell in &of.results.cells {
        for metric in &cell.metrics {
            writer.serialize(Row::of(cell, metric))?;
        }
    }
    // A run without a valid launch has the first line alone.
    if of.results.cells.iter().all(|cell| cell.metrics.is_empty()) {
        writer.write_record(Row::COLUMNS)?;
    }
    writer
        .into_inner()
        .map_err(|e| ReportError::Csv(e.into_error().into()))
}

/// The fields are the columns. Numbers are not rounded. Without a comparison, its fields are empty.
#[derive(Serialize)]
struct Row {
    cell: String,
    variant: String,
    limits: String,
    /// Valid launches that have it.
    launches: usize,
    metric: String,
    unit: String,
    median: f64,
    low: f64,
    high: f64,
    ratio_to_baseline: Option<f64>,
    ratio_low: Option<f64>,
    ratio_high: Option<f64>,
    verdict: Option<Verdict>,
}

impl Row {
    const COLUMNS: [&str; 13] = [
        "cell",
        "variant",
        "limits",
        "launches",
        "metric",
        "unit",
        "median",
        "low",
        "high",
        "ratio_to_baseline",
        "ratio_low",
        "ratio_high",
        "verdict",
    ];

    fn of(cell: &CellResult, metric: &MetricResult) -> Self {
        let versus = metric.versus_baseline.as_ref();
        let ratio = versus.map(|versus| versus.ratio);
        Self {
            cell: no_formula(&cell.cell),
            variant: no_formula(&cell.variant),
            limits: no_formula(&cell.limits),
            launches: metric.values.len(),
            metric: no_formula(&metric.id),
            unit: metric.unit.clone(),
            median: metric.estimate.value,
            low: metric.estimate.low,
            high: metric.estimate.high,
            ratio_to_baseline: ratio.map(|ratio| ratio.value),
            ratio_low: ratio.map(|ratio| ratio.low),
            ratio_high: ratio.map(|ratio| ratio.high),
            verdict: versus.map(|versus| versus.verdict),
        }
    }
}

/// Names come from files written by others. A spreadsheet executes text that begins like a formula
/// (OWASP, "CSV Injection").
fn no_formula(name: &str) -> String {
    match name.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => format!("'{name}"),
        false => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_a_formula() {
        assert_eq!(no_formula("=1+1"), "'=1+1");
        assert_eq!(no_formula("jar-cpu1"), "jar-cpu1");
    }
}

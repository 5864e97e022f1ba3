//! Start-up as hyperfine's `--export-json` has it, for the scripts and dashboards that read that
//! (<https://github.com/sharkdp/hyperfine>): seconds, one result a cell.
//!
//! What has no place in hyperfine's format goes under `tacho`. Tacho does not split the time of a
//! start into user and kernel mode, so `user` and `system` are left out.

use crate::{Analysed, Exporter, Format, ReportError};
use serde::Serialize;
use std::collections::BTreeMap;
use tacho_run_folder::{CellResult, CertificateState};

/// A run as hyperfine's JSON.
pub const HYPERFINE: Format = Exporter {
    option: "hyperfine",
    variable: "TACHO_HYPERFINE",
    help: "Also write the start-up times as hyperfine's JSON (- for standard output)",
    export: document,
};

/// From `exec` to the first answer that counts as ready.
const READY: &str = "ready_ms";

#[derive(Serialize)]
struct Document<'a> {
    results: Vec<OneCell<'a>>,
    tacho: Beside<'a>,
}

#[derive(Serialize)]
struct OneCell<'a> {
    command: &'a str,
    mean: f64,
    /// Sample standard deviation; absent for a single launch.
    #[serde(skip_serializing_if = "Option::is_none")]
    stddev: Option<f64>,
    median: f64,
    min: f64,
    max: f64,
    times: Vec<f64>,
    parameters: BTreeMap<&'static str, &'a str>,
}

#[derive(Serialize)]
struct Beside<'a> {
    run: &'a str,
    certificate: CertificateState,
}

fn document(of: &Analysed) -> Result<Vec<u8>, ReportError> {
    let document = Document {
        results: of.results.cells.iter().filter_map(one_cell).collect(),
        tacho: Beside {
            run: &of.run.header.id,
            certificate: of.results.certificate.state,
        },
    };
    let mut text = serde_json::to_vec_pretty(&document)?;
    text.push(b'\n');
    Ok(text)
}

/// `None` if no launch of the cell became ready.
fn one_cell(cell: &CellResult) -> Option<OneCell<'_>> {
    let ready = cell.metrics.iter().find(|metric| metric.id == READY)?;
    let times: Vec<f64> = ready.values.iter().map(|v| v.value / 1e3).collect();
    let count = times.len() as f64;
    let mean = times.iter().sum::<f64>() / count;
    let squares: f64 = times.iter().map(|time| (time - mean).powi(2)).sum();
    Some(OneCell {
        command: &cell.cell,
        mean,
        stddev: (times.len() > 1).then(|| (squares / (count - 1.0)).sqrt()),
        median: ready.estimate.value / 1e3,
        min: times.iter().copied().reduce(f64::min)?,
        max: times.iter().copied().reduce(f64::max)?,
        parameters: BTreeMap::from([("variant", &*cell.variant), ("limits", &*cell.limits)]),
        times,
    })
}

//! oha, with latency correction where there is a rate, read from its JSON.

use super::{Latency, Load, Said};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::process::Command;

pub fn arguments(command: &mut Command, load: Load) {
    command.args(["--no-tui", "--output-format", "json"]);
    match load {
        Load::Closed {
            connections,
            requests,
            ..
        } => command.args(["-c", &connections.to_string(), "-n", &requests.to_string()]),
        Load::Constant {
            connections,
            rate,
            seconds,
        } => command.args([
            "-c",
            &connections.to_string(),
            "-z",
            &format!("{seconds}s"),
            "-q",
            &rate.to_string(),
            "--latency-correction",
        ]),
    };
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    summary: Summary,
    /// In seconds; null where there was none.
    latency_percentiles: BTreeMap<String, Option<f64>>,
    status_code_distribution: BTreeMap<String, u64>,
    error_distribution: BTreeMap<String, u64>,
}

#[derive(Debug, Deserialize)]
struct Summary {
    slowest: Option<f64>,
}

/// Requests that are under way when its time is over; there are always some.
const AT_THE_DEADLINE: &str = "aborted due to deadline";

pub fn read(json: &str) -> Result<Said, String> {
    let report: Report = serde_json::from_str(json).map_err(|e| format!("its JSON: {e}"))?;
    let percentile_ms = |name| {
        report
            .latency_percentiles
            .get(name)
            .copied()
            .flatten()
            .map(|s| s * 1e3)
    };
    let statuses = report.status_code_distribution.iter();
    let bad = statuses.filter(|(status, _)| !status.starts_with('2'));
    let errors = report.error_distribution.iter();
    let failed = errors.filter(|(error, _)| *error != AT_THE_DEADLINE);
    Ok(Said {
        requests: report.status_code_distribution.values().sum(),
        latency: Some(Latency {
            p50: percentile_ms("p50"),
            p95: percentile_ms("p95"),
            p99: percentile_ms("p99"),
            max: report.summary.slowest.map(|s| s * 1e3),
        }),
        own_lateness_p99_ms: None,
        doubts: bad
            .chain(failed)
            .map(|(what, count)| format!("{count} {what}"))
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"{
        "summary": {"successRate": 1.0, "total": 20.0, "slowest": 0.9995, "fastest": 0.0001, "average": 0.05,
                    "requestsPerSec": 2000.0, "totalData": 1, "sizePerRequest": 6, "sizePerSec": 1.0},
        "latencyPercentiles": {"p10": 0.0001, "p95": 0.55, "p99": 0.91, "p99.9": null},
        "statusCodeDistribution": {"200": 39990, "503": 2},
        "errorDistribution": {"aborted due to deadline": 8, "connection error": 1}
    }"#;

    #[test]
    fn a_report_is_read() {
        let said = read(REPORT).unwrap();
        assert_eq!(said.requests, 39_992);
        let latency = said.latency.unwrap();
        assert_eq!(
            (latency.p95, latency.p99, latency.max),
            (Some(550.0), Some(910.0), Some(999.5))
        );
        assert_eq!(said.doubts, ["2 503", "1 connection error"]);
    }

    #[test]
    fn what_is_no_report_is_refused() {
        assert!(read("Error: invalid url").is_err());
        assert!(read("{}").is_err());
    }
}

//! Tacho: `tacho load`, read from its JSON.

use super::{Latency, Load, Said};
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

pub fn arguments(command: &mut Command, load: Load, report: &Path) {
    command.arg("load");
    match load {
        Load::Closed {
            connections,
            requests,
            ..
        } => command.args([
            "--closed",
            "--connections",
            &connections.to_string(),
            "--requests",
            &requests.to_string(),
        ]),
        Load::Constant {
            connections,
            rate,
            seconds,
        } => command.args([
            "--rate",
            &rate.to_string(),
            "--duration",
            &format!("{seconds}s"),
            "--connections",
            &connections.to_string(),
        ]),
    };
    command.arg("--json").arg(report);
}

#[derive(Debug, Deserialize)]
struct Report {
    response_time_ms: Option<Quantiles>,
    dispatch_delay_ms: Option<Quantiles>,
    outcomes: serde_json::Map<String, Value>,
    certificate: Certificate,
}

#[derive(Debug, Deserialize)]
struct Quantiles {
    p50: f64,
    p95: f64,
    p99: f64,
    max: f64,
}

#[derive(Debug, Deserialize)]
struct Certificate {
    state: String,
}

pub fn read(json: &str) -> Result<Said, String> {
    let report: Report = serde_json::from_str(json).map_err(|e| format!("its JSON: {e}"))?;
    let mut requests = 0;
    let mut doubts = Vec::new();
    for (outcome, count) in &report.outcomes {
        let count = counted(count);
        // Status classes are answers; everything else has a name of its own.
        if outcome.starts_with(|c: char| c.is_ascii_digit()) || outcome.starts_with("status-") {
            requests += count;
        }
        if count > 0 && !outcome.starts_with('2') {
            doubts.push(format!("{count} {outcome}"));
        }
    }
    if report.certificate.state != "valid" {
        doubts.push(format!("certificate {}", report.certificate.state));
    }
    Ok(Said {
        requests,
        latency: report.response_time_ms.map(|times| Latency {
            p50: Some(times.p50),
            p95: Some(times.p95),
            p99: Some(times.p99),
            max: Some(times.max),
        }),
        own_lateness_p99_ms: report.dispatch_delay_ms.map(|delay| delay.p99),
        doubts,
    })
}

/// A bare count, or one with an example beside it.
fn counted(value: &Value) -> u64 {
    value
        .as_u64()
        .or_else(|| value.get("count").and_then(Value::as_u64))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUANTILES: &str =
        r#"{"min":0.1,"mean":0.2,"p50":0.2,"p90":0.3,"p95":0.4,"p99":0.5,"p99_9":0.6,"max":0.7}"#;

    fn report(outcomes: &str, state: &str) -> String {
        format!(
            r#"{{"requests":10,"duration_s":1.0,"rate":10.0,"response_time_ms":{QUANTILES},"service_time_ms":{QUANTILES},
            "dispatch_delay_ms":{QUANTILES},"outcomes":{outcomes},"certificate":{{"state":"{state}"}}}}"#
        )
    }

    #[test]
    fn a_report_is_read() {
        let said = read(&report(r#"{"2xx":10}"#, "valid")).unwrap();
        assert_eq!(said.requests, 10);
        assert_eq!(said.own_lateness_p99_ms, Some(0.5));
        let latency = said.latency.unwrap();
        assert_eq!(
            (latency.p95, latency.p99, latency.max),
            (Some(0.4), Some(0.5), Some(0.7))
        );
        assert!(said.doubts.is_empty());
    }

    #[test]
    fn what_is_no_answer_is_not_counted_but_told() {
        let outcomes = r#"{"2xx":7,"5xx":{"count":1},"timeout":{"count":2,"example":"GET /"}}"#;
        let said = read(&report(outcomes, "degraded")).unwrap();
        assert_eq!(said.requests, 8);
        assert_eq!(said.doubts, ["1 5xx", "2 timeout", "certificate degraded"]);
    }

    #[test]
    fn what_is_no_report_is_refused() {
        for json in ["", "{}", "[]", r#"{"requests":1}"#] {
            assert!(read(json).is_err(), "{json}");
        }
    }
}

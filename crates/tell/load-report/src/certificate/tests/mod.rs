//! Each rule with a phase of which the truth is known.

mod connections;
mod documented;
mod generator;
mod lateness;
mod outcome;
mod together;
mod workers;

use super::*;
use CertificateState::{Degraded, Invalid, Valid};
use std::collections::BTreeMap;
use tacho_run_folder::{PhaseTag, Quantiles};

fn times(p50: f64) -> Quantiles {
    Quantiles {
        count: 20_000,
        min: p50 * 0.5,
        mean: p50,
        p50,
        p90: p50 * 1.2,
        p95: p50 * 1.5,
        p99: p50 * 2.0,
        p99_9: p50 * 4.0,
        max: p50 * 5.0,
    }
}

/// 2,000/s for 10 s, each answered in 4 ms, over 64 connections.
pub fn open() -> PhaseRecord {
    PhaseRecord {
        label: "open".into(),
        kind: PhaseTag::Open,
        started_ms: 0.0,
        duration_s: 10.0,
        requests: 20_000,
        succeeded: 20_000,
        errors: BTreeMap::new(),
        by_status: BTreeMap::from([("2xx".into(), 20_000)]),
        intended_rate: Some(2_000.0),
        throughput: 2_000.0,
        response_time_ms: Some(times(4.0)),
        service_time_ms: Some(times(4.0)),
        dispatch_delay_ms: Some(times(0.02)),
        generator_lag_ms: Some(times(0.02)),
        on_time_response_ms: None,
        settled: None,
        unanswered: false,
        trouble: Vec::new(),
        reconnects: 0,
        generator_cpu_s: 1.2,
        time_keeping: None,
        subject_cpu_s: 0.0,
        steal_s: 0.0,
        processors: None,
        interrupted: false,
        search: None,
        workers: Vec::new(),
    }
}

fn facts(record: &PhaseRecord) -> Facts<'_> {
    let mean_s = |times: Option<Quantiles>| times.map_or(0.0, |t| t.mean / 1e3);
    let requests = record.succeeded + record.errors.values().map(|e| e.count).sum::<u64>();
    Facts {
        record,
        connections: 64,
        always_busy: false,
        cpus: 2,
        recorded: Some(Recorded {
            requests,
            response_s: requests as f64 * mean_s(record.response_time_ms),
            service_s: requests as f64 * mean_s(record.service_time_ms),
        }),
        is_one_of_many: false,
    }
}

fn evidence(facts: &Facts<'_>, what: &str) -> Evidence {
    let certificate = of_phase(facts);
    let found = certificate.evidence.iter().find(|e| e.what == what);
    found
        .unwrap_or_else(|| panic!("no {what} in {certificate:#?}"))
        .clone()
}

#[track_caller]
fn says(evidence: &Evidence, state: CertificateState, words: &[&str]) {
    assert_eq!(evidence.state, state, "{evidence:#?}");
    for word in words {
        assert!(evidence.text.contains(word), "`{word}` in {evidence:#?}");
    }
}

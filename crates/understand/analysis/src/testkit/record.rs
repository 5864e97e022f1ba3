//! The records that a launch of a profile would have left.

use super::Profile;
use std::collections::BTreeMap;
use tacho_run_folder::{
    FORMAT, LaunchRecord, Limits, LimitsSeen, Machine, PhaseKind, PhasePlan, PhaseRecord, PhaseTag,
    PreparedVariant, ProcessorUse, Quantiles, RequestRow, RowOutcome, RunHeader, Sample,
    SubjectFacts,
};

pub fn phases(plan: &[PhasePlan], profile: &Profile) -> Vec<PhaseRecord> {
    let mut started_ms = profile.ready_ms;
    let record = |plan: &PhasePlan| {
        let kind = plan.kind.tag();
        let (requests, duration_s) = match &plan.kind {
            PhaseKind::Cold { requests } => {
                let others = requests.saturating_sub(1) as f64 * profile.service_ms;
                (*requests, (profile.first_request_ms + others) / 1e3)
            }
            PhaseKind::Closed {
                requests: Some(requests),
                ..
            } => (*requests, *requests as f64 / profile.throughput),
            PhaseKind::Open {
                rate, duration_s, ..
            } => ((rate * duration_s) as u64, *duration_s),
            PhaseKind::Rest { duration_s } => (0, *duration_s),
            // At the subject's own throughput, for as long as the plan says.
            other => {
                let duration_s = other.duration_s().unwrap_or(10.0);
                ((profile.throughput * duration_s) as u64, duration_s)
            }
        };
        let first_ms = if kind == PhaseTag::Cold {
            profile.first_request_ms
        } else {
            profile.service_ms
        };
        let mean = (first_ms + requests.saturating_sub(1) as f64 * profile.service_ms)
            / requests.max(1) as f64;
        let times = (requests > 0).then(|| times(requests, profile.service_ms, mean));
        let lag = times.map(|t| self::times(t.count, 0.02, 0.02));
        let subject_cpu_s = requests as f64 * profile.cpu_per_request_ms / 1e3;
        let phase = PhaseRecord {
            label: plan.label.clone(),
            kind,
            started_ms,
            duration_s,
            requests,
            succeeded: requests,
            errors: BTreeMap::new(),
            by_status: BTreeMap::from([("2xx".to_owned(), requests)]),
            intended_rate: (kind == PhaseTag::Open).then(|| requests as f64 / duration_s),
            throughput: requests as f64 / duration_s,
            response_time_ms: times,
            service_time_ms: times,
            dispatch_delay_ms: lag,
            generator_lag_ms: lag,
            on_time_response_ms: None,
            settled: None,
            unanswered: false,
            trouble: Vec::new(),
            reconnects: 0,
            generator_cpu_s: duration_s * 0.2,
            time_keeping: None,
            subject_cpu_s,
            steal_s: 0.0,
            processors: Some(ProcessorUse {
                span_s: duration_s,
                busy_cpu_s: subject_cpu_s + duration_s * 0.23,
                subject_cpu_s,
                tacho_cpu_s: duration_s * 0.22,
                companions_cpu_s: 0.0,
                processors: None,
            }),
            interrupted: false,
            search: None,
            workers: Vec::new(),
        };
        started_ms += duration_s * 1e3;
        phase
    };
    plan.iter().map(record).collect()
}

/// A distribution whose p99 is twice its median.
fn times(count: u64, p50: f64, mean: f64) -> Quantiles {
    Quantiles {
        count,
        min: p50 * 0.5,
        mean,
        p50,
        p90: p50 * 1.2,
        p95: p50 * 1.5,
        p99: p50 * 2.0,
        p99_9: p50 * 3.0,
        max: p50 * 5.0,
    }
}

/// Ten a second, with the CPU time that the requests so far have taken.
pub fn samples(record: &LaunchRecord, profile: &Profile) -> Vec<Sample> {
    let end = record.resources.at_end.map_or(0.0, |p| p.at_ms);
    let ticks = (0..)
        .map(|i| f64::from(i) * 100.0)
        .take_while(|at| *at <= end);
    ticks
        .map(|at_ms| {
            let served: f64 = record
                .phases
                .iter()
                .map(|p| {
                    let share = (at_ms - p.started_ms) / (p.duration_s * 1e3).max(1e-9);
                    p.requests as f64 * share.clamp(0.0, 1.0)
                })
                .map(f64::floor)
                .sum();
            let started = (at_ms / profile.ready_ms).min(1.0) * profile.cpu_to_ready_s;
            Sample {
                at_ms,
                rss_bytes: profile.memory_bytes,
                cpu_s: started + served * profile.cpu_per_request_ms / 1e3,
                threads: 20,
                requests: served as u64,
                ..Sample::default()
            }
        })
        .collect()
}

/// The requests of a cold first phase, one after another.
pub fn cold_requests(record: &LaunchRecord, profile: &Profile) -> Vec<RequestRow> {
    let Some(cold) = record.phases.first().filter(|p| p.kind == PhaseTag::Cold) else {
        return Vec::new();
    };
    let mut at_ns = (cold.started_ms * 1e6) as u64;
    (0..cold.requests)
        .map(|i| {
            let took_ms = if i == 0 {
                profile.first_request_ms
            } else {
                profile.service_ms
            };
            let end_ns = at_ns + (took_ms * 1e6) as u64;
            let row = RequestRow {
                intended_ns: at_ns,
                dispatched_ns: at_ns,
                sent_ns: at_ns,
                first_byte_ns: end_ns,
                end_ns,
                outcome: RowOutcome::Answered(200),
                ..RequestRow::default()
            };
            at_ns = end_ns;
            row
        })
        .collect()
}

pub fn limits_seen(limits: &Limits) -> Option<LimitsSeen> {
    let asked = limits.cpu.is_some() || limits.memory_bytes.is_some();
    asked.then(|| LimitsSeen {
        inside: true,
        path: "/tacho/synthetic".to_owned(),
        cpu: limits.cpu,
        memory_bytes: limits.memory_bytes,
        periods: 100,
        throttled_periods: 40,
        throttled_s: 1.5,
        oom_kills: 0,
    })
}

pub fn prepared(profile: &Profile) -> PreparedVariant {
    PreparedVariant {
        warm_up: None,
        name: profile.name.clone(),
        kind: "exec".to_owned(),
        command: vec![profile.name.clone()],
        directory: "/".to_owned(),
        environment: BTreeMap::new(),
        runtime: None,
        build_commands: Vec::new(),
        build_s: profile.build_s,
        application_bytes: profile.application_bytes,
        runtime_bytes: 100 << 20,
        artifact: None,
        image: None,
        notes: Vec::new(),
    }
}

pub fn header() -> RunHeader {
    RunHeader {
        format: FORMAT,
        tacho: "0.1.0".to_owned(),
        id: "20261121-210000-synthetic".to_owned(),
        name: "synthetic".to_owned(),
        started_at: "2026-11-21T21:00:00Z".to_owned(),
        finished_at: Some("2026-11-21T21:10:00Z".to_owned()),
        interrupted: false,
        machine: Machine {
            cpus: 2,
            cpu_model: "synthetic".to_owned(),
            memory_bytes: 8 << 30,
            kernel: "6.1".to_owned(),
            os: "Debian GNU/Linux 12".to_owned(),
            cgroup: "v1".to_owned(),
        },
        subject: SubjectFacts {
            artifact: None,
            kind: None,
            framework: None,
            java_release: None,
        },
    }
}

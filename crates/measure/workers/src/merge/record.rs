//! The record of a phase that several workers shared.

use super::Sums;
use std::collections::BTreeMap;
use tacho_clock::{ms_between, to_seconds};
use tacho_load::recorder::quantiles_ms;
use tacho_load::schedule::{self, Schedule};
use tacho_run_folder::{
    ErrorCount, ErrorKind, PhaseKind, PhasePlan, PhaseRecord, TimeKeeping, Word, WorkerPart,
};

/// What one worker reported at the end of its part.
#[derive(Debug, Clone)]
pub struct Finished {
    /// Its number, from 1.
    pub worker: u32,
    /// What came of it.
    pub record: PhaseRecord,
    /// When its loop was entered.
    pub began_ns: Option<u64>,
    /// The first instant at which one of its requests was intended.
    pub first_intended_ns: Option<u64>,
    /// When the last one was concluded.
    pub last_end_ns: u64,
}

/// One record of all parts: counts are sums, distributions are those of the sums. `start_ns` is the
/// instant that was named to all, `lost` who did not come to the end, with the reason. `None` when
/// nobody did.
pub fn merged(
    plan: &PhasePlan,
    parts: &[Finished],
    sums: &Sums,
    start_ns: Option<u64>,
    lost: &[(u32, String)],
) -> Option<PhaseRecord> {
    let first = parts.first()?;
    let records = || parts.iter().map(|part| &part.record);
    let sum = |of: fn(&PhaseRecord) -> u64| records().map(of).sum::<u64>();
    let quantiles = |h: &Option<_>| h.as_ref().and_then(quantiles_ms);
    let requests = sum(|record| record.requests);
    let first_intended = parts.iter().filter_map(|part| part.first_intended_ns).min();
    let last_end = parts.iter().map(|part| part.last_end_ns).max();
    let duration_s = match (first_intended, last_end) {
        (Some(first), Some(last)) => to_seconds(last.saturating_sub(first)),
        _ => first.record.duration_s,
    };
    let answered = sum(|record| record.by_status.values().sum());
    Some(PhaseRecord {
        label: plan.label.clone(),
        kind: plan.kind.tag(),
        started_ms: records().map(|r| r.started_ms).fold(f64::MAX, f64::min),
        duration_s,
        requests,
        succeeded: sum(|record| record.succeeded),
        throughput: match duration_s > 0.0 {
            true => answered as f64 / duration_s,
            false => 0.0,
        },
        by_status: by_status(records()),
        errors: errors(records()),
        intended_rate: intended_rate(plan, requests),
        response_time_ms: quantiles(&sums.response),
        service_time_ms: quantiles(&sums.service),
        dispatch_delay_ms: quantiles(&sums.delay),
        generator_lag_ms: quantiles(&sums.lag),
        on_time_response_ms: quantiles(&sums.on_time),
        reconnects: sum(|record| record.reconnects),
        generator_cpu_s: records().map(|record| record.generator_cpu_s).sum(),
        time_keeping: time_keeping(records()),
        subject_cpu_s: 0.0,
        steal_s: 0.0,
        processors: None,
        interrupted: !lost.is_empty() || records().any(|record| record.interrupted),
        unanswered: records().any(|record| record.unanswered),
        trouble: records()
            .flat_map(|record| record.trouble.clone())
            .collect(),
        settled: first
            .record
            .settled
            .map(|_| records().all(|record| record.settled == Some(true))),
        search: None,
        workers: workers(parts, start_ns, lost),
    })
}

fn by_status<'a>(records: impl Iterator<Item = &'a PhaseRecord>) -> BTreeMap<String, u64> {
    let mut sums = BTreeMap::new();
    for (class, count) in records.flat_map(|record| &record.by_status) {
        *sums.entry(class.clone()).or_insert(0) += count;
    }
    sums
}

/// The example is that of the first worker that has one.
fn errors<'a>(
    records: impl Iterator<Item = &'a PhaseRecord>,
) -> BTreeMap<Word<ErrorKind>, ErrorCount> {
    let mut sums: BTreeMap<Word<ErrorKind>, ErrorCount> = BTreeMap::new();
    for (kind, error) in records.flat_map(|record| &record.errors) {
        match sums.get_mut(kind) {
            Some(sum) => sum.count += error.count,
            None => drop(sums.insert(kind.clone(), error.clone())),
        }
    }
    sums
}

/// Of the whole, as one generator records it.
fn intended_rate(plan: &PhasePlan, requests: u64) -> Option<f64> {
    match &plan.kind {
        PhaseKind::Open { rate, .. } => Some(*rate),
        PhaseKind::Scheduled { schedule, .. } if requests > 1 => {
            let schedule = schedule::build(schedule).ok()?;
            let duration_s = to_seconds(schedule.duration());
            Some(requests as f64 / duration_s)
        }
        _ => None,
    }
}

/// All keep time in the same way, but for how long they spun.
fn time_keeping<'a>(records: impl Iterator<Item = &'a PhaseRecord>) -> Option<TimeKeeping> {
    records
        .filter_map(|record| record.time_keeping)
        .reduce(|sum, one| TimeKeeping {
            spun_s: sum.spun_s + one.spun_s,
            ends: sum.ends.max(one.ends),
            ..sum
        })
}

fn workers(parts: &[Finished], start_ns: Option<u64>, lost: &[(u32, String)]) -> Vec<WorkerPart> {
    let finished = parts.iter().map(|part| WorkerPart {
        worker: part.worker,
        began_late_ms: start_ns
            .zip(part.began_ns)
            .map_or(0.0, |(start, began)| ms_between(start, began)),
        requests: part.record.requests,
        succeeded: part.record.succeeded,
        generator_cpu_s: part.record.generator_cpu_s,
        generator_lag_ms: part.record.generator_lag_ms,
        response_time_ms: part.record.response_time_ms,
        on_time_response_ms: part.record.on_time_response_ms,
        lost: None,
    });
    let gone = lost.iter().map(|(worker, why)| WorkerPart {
        worker: *worker,
        began_late_ms: 0.0,
        requests: 0,
        succeeded: 0,
        generator_cpu_s: 0.0,
        generator_lag_ms: None,
        response_time_ms: None,
        on_time_response_ms: None,
        lost: Some(why.clone()),
    });
    let mut all: Vec<WorkerPart> = finished.chain(gone).collect();
    all.sort_by_key(|part| part.worker);
    all
}

//! Values that take more than one field of the records.

use tacho_run_folder::{ErrorKind, LaunchData, PhaseRecord, PhaseTag, Quantile, RequestRow};

/// Rows of the phase with this place in the plan, in the order in which they were due.
fn rows_of_phase(launch: &LaunchData, phase: usize) -> Vec<&RequestRow> {
    let mut rows: Vec<_> = launch
        .requests
        .iter()
        .filter(|row| row.phase as usize == phase)
        .collect();
    rows.sort_by_key(|row| row.intended_ns);
    rows
}

/// Response time of the first request of all; none when it failed, since an error is no answer.
pub fn first_request_ms(launch: &LaunchData) -> Option<f64> {
    let phases = &launch.record.phases;
    let first_loaded = phases.iter().position(|p| p.kind != PhaseTag::Rest)?;
    let rows = rows_of_phase(launch, first_loaded);
    let row = rows.first()?;
    row.outcome.is_good().then(|| row.response_time_ms())
}

/// Sum of the response times of the first five requests of the first cold phase; none when there
/// were fewer or one failed.
pub fn first_5_requests_ms(launch: &LaunchData) -> Option<f64> {
    let phases = &launch.record.phases;
    let cold = phases.iter().position(|p| p.kind == PhaseTag::Cold)?;
    let rows = rows_of_phase(launch, cold);
    let five = rows.get(..5)?;
    five.iter()
        .all(|row| row.outcome.is_good())
        .then(|| five.iter().map(|row| row.response_time_ms()).sum())
}

/// Requests that were answered, whatever the answer said.
pub fn answered(phase: &PhaseRecord) -> u64 {
    let wrong = phase
        .errors
        .iter()
        .filter(|(kind, _)| kind.known().is_some_and(ErrorKind::was_answered))
        .map(|(_, errors)| errors.count);
    phase.succeeded + wrong.sum::<u64>()
}

/// Requests that were not answered as they should have been.
pub fn failed(phase: &PhaseRecord) -> u64 {
    phase.errors.values().map(|errors| errors.count).sum()
}

fn share(part: f64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part / whole as f64)
}

pub fn failed_share(phase: &PhaseRecord) -> Option<f64> {
    share(failed(phase) as f64, phase.requests)
}

/// A quantile of the response times, where values lie beyond it.
pub fn response_ms(phase: &PhaseRecord, quantile: Quantile) -> Option<f64> {
    let at_least = match quantile {
        Quantile::P99 => 100,
        Quantile::P99_9 => 1000,
        _ => 1,
    };
    let times = phase.response_time_ms.filter(|q| q.count >= at_least)?;
    Some(quantile.of(&times))
}

/// By the log, which has every pause; else by the JVM's counters, where it has them all.
pub fn gc_pause_total_s(launch: &LaunchData) -> Option<f64> {
    if let Some(log) = &launch.collections {
        return Some(log.pauses.total_s);
    }
    let last = launch.jvm.last()?;
    Some(last.young_s? + last.full_s.unwrap_or(0.0) + last.concurrent_pause_s.unwrap_or(0.0))
}

/// Of the collector's threads, as the kernel counts it. A native image collects in the
/// application's threads: with a serial collector its pauses are its processor time, or somewhat
/// more where others held the processor.
pub fn gc_cpu_s(launch: &LaunchData) -> Option<f64> {
    let counted = launch.jvm.iter().rev().find_map(|s| s.collector_cpu_s);
    counted.or_else(|| {
        let log = launch.collections.as_ref()?;
        let is_native = launch.jvm.is_empty() && log.collector?.is_single_threaded();
        is_native.then_some(log.pauses.total_s)
    })
}

pub fn gc_cpu_share(launch: &LaunchData) -> Option<f64> {
    let all = launch.record.resources.at_end?.cpu_s;
    (all > 0.0).then(|| gc_cpu_s(launch).map(|s| (s / all).min(1.0)))?
}

/// Only where a CPU limit could throttle.
pub fn throttled_s(launch: &LaunchData) -> Option<f64> {
    let limits = launch.record.limits.as_ref()?;
    limits.cpu.map(|_| limits.throttled_s)
}

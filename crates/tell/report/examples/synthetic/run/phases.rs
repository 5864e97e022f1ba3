//! The phases of one made-up launch and their histograms.

use super::model::Model;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::{IntervalLogWriterBuilder, Tag};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::time::{Duration, UNIX_EPOCH};
use tacho_run_folder::{ErrorCount, LaunchDir, PhaseRecord, PhaseTag, Quantiles, RequestRow};

/// One second of a phase.
pub struct Second {
    pub start_s: f64,
    pub length_s: f64,
    pub response: Histogram<u64>,
    pub service: Histogram<u64>,
}

pub struct Phase {
    pub label: &'static str,
    pub started_ms: f64,
    pub seconds: Vec<Second>,
    pub failed: u64,
}

fn histogram() -> Histogram<u64> {
    Histogram::new(3).unwrap_or_else(|e| unreachable!("3 digits are allowed: {e}"))
}

/// A histogram that resizes itself takes every value.
fn count(histogram: &mut Histogram<u64>, ns: u64, times: u64) {
    if let Err(e) = histogram.record_n(ns, times) {
        unreachable!("{ns} ns could not be recorded: {e}");
    }
}

pub fn phases(model: &mut Model, rows: &[RequestRow]) -> Vec<Phase> {
    let started_ms = model.ready_ms + 4.0;
    let mut cold = Second {
        start_s: started_ms / 1e3,
        length_s: 0.0,
        response: histogram(),
        service: histogram(),
    };
    for row in rows.iter().filter(|r| r.phase == 0) {
        count(&mut cold.response, row.end_ns - row.intended_ns, 1);
        count(&mut cold.service, row.end_ns - row.sent_ns, 1);
        cold.length_s = row.end_ns as f64 / 1e9 - cold.start_s;
    }
    let closed_at = cold.start_s + cold.length_s;
    let closed = closed(model, closed_at);
    let open_at = closed_at + closed.iter().map(|s| s.length_s).sum::<f64>() + 2.0;
    let open = open(model, open_at);
    let phase = |label, at_s: f64, seconds, failed| Phase {
        label,
        started_ms: at_s * 1e3,
        seconds,
        failed,
    };
    vec![
        phase("cold", started_ms / 1e3, vec![cold], 0),
        phase(
            "closed",
            closed_at,
            closed,
            u64::from(model.number.is_multiple_of(4)),
        ),
        phase("open", open_at, open, 0),
    ]
}

/// 100,000 requests over 1,000 connections.
fn closed(model: &mut Model, start_s: f64) -> Vec<Second> {
    let (mut left, mut at_s, mut seconds) = (100_000.0, 0.0, Vec::new());
    while left > 0.0 {
        let rate = model.rate_at(at_s);
        let served = rate.min(left);
        let mut second = Second {
            start_s: start_s + at_s,
            length_s: served / rate,
            response: histogram(),
            service: histogram(),
        };
        let weight = 4;
        for _ in 0..(served / weight as f64).round() as u64 {
            let ms = 1e6 / rate * model.noise.with_tail(0.16);
            count(&mut second.response, (ms * 1e6) as u64, weight);
            count(&mut second.service, (ms * 0.995e6) as u64, weight);
        }
        left -= served;
        at_s += second.length_s;
        seconds.push(second);
    }
    seconds
}

/// 400 a second for 20 s; one stall, which the schedule does not wait for.
fn open(model: &mut Model, start_s: f64) -> Vec<Second> {
    (0..20u32)
        .map(|i| {
            let mut second = Second {
                start_s: start_s + f64::from(i),
                length_s: 1.0,
                response: histogram(),
                service: histogram(),
            };
            let stall_ms = if i == 11 && model.variant != "native" {
                38.0 / model.limits.cpu.unwrap_or(1.0)
            } else {
                0.0
            };
            for n in 0..400 {
                let service = model.warm_ms * model.noise.with_tail(0.15);
                let waited = (stall_ms - f64::from(n) * 2.5).max(0.0);
                count(&mut second.response, ((service + waited) * 1e6) as u64, 1);
                count(&mut second.service, (service * 1e6) as u64, 1);
            }
            second
        })
        .collect()
}

pub fn write_histograms(dir: &LaunchDir, phases: &[Phase]) -> Result<(), Box<dyn Error>> {
    let mut file = BufWriter::new(File::create(dir.histograms())?);
    let mut serializer = V2DeflateSerializer::new();
    let exec = UNIX_EPOCH + Duration::from_secs(1_795_295_607);
    let mut log = IntervalLogWriterBuilder::new()
        .add_comment("made-up numbers")
        .with_start_time(exec)
        .with_base_time(exec)
        .begin_log_with(&mut file, &mut serializer)?;
    for phase in phases {
        for second in &phase.seconds {
            for (clock, times) in [("response", &second.response), ("service", &second.service)] {
                log.write_histogram(
                    times,
                    Duration::from_secs_f64(second.start_s),
                    Duration::from_secs_f64(second.length_s),
                    Tag::new(&format!("{}:0:ok:{clock}", phase.label)),
                )
                .map_err(|e| format!("{e:?}"))?;
            }
        }
        if phase.failed > 0 {
            let mut times = histogram();
            times.record_n(3_000_000, phase.failed)?;
            let start = phase.seconds.first().map_or(0.0, |s| s.start_s);
            log.write_histogram(
                &times,
                Duration::from_secs_f64(start),
                Duration::from_secs(1),
                Tag::new(&format!("{}:0:error:response", phase.label)),
            )
            .map_err(|e| format!("{e:?}"))?;
        }
    }
    Ok(file.flush()?)
}

pub fn phase_record(phase: &Phase) -> PhaseRecord {
    let mut response = histogram();
    let mut service = histogram();
    for second in &phase.seconds {
        let _ = response.add(&second.response);
        let _ = service.add(&second.service);
    }
    let duration_s: f64 = phase.seconds.iter().map(|s| s.length_s).sum();
    PhaseRecord {
        label: phase.label.into(),
        kind: match phase.label {
            "cold" => PhaseTag::Cold,
            "open" => PhaseTag::Open,
            _ => PhaseTag::Closed,
        },
        started_ms: phase.started_ms,
        duration_s,
        requests: response.len() + phase.failed,
        succeeded: response.len(),
        errors: BTreeMap::from_iter((phase.failed > 0).then(|| {
            (
                "reset".into(),
                ErrorCount {
                    count: phase.failed,
                    example: "connection reset by peer".into(),
                },
            )
        })),
        by_status: BTreeMap::from([("2xx".to_owned(), response.len())]),
        intended_rate: (phase.label == "open").then_some(400.0),
        throughput: response.len() as f64 / duration_s,
        response_time_ms: Some(quantiles(&response)),
        service_time_ms: Some(quantiles(&service)),
        dispatch_delay_ms: None,
        generator_lag_ms: None,
        on_time_response_ms: None,
        settled: None,
        unanswered: false,
        trouble: Vec::new(),
        reconnects: 0,
        generator_cpu_s: duration_s * 0.3,
        time_keeping: None,
        subject_cpu_s: duration_s * 0.95,
        steal_s: 0.0,
        processors: None,
        interrupted: false,
        search: None,
        workers: Vec::new(),
    }
}

fn quantiles(of: &Histogram<u64>) -> Quantiles {
    let at = |q: f64| of.value_at_quantile(q) as f64 / 1e6;
    Quantiles {
        count: of.len(),
        min: of.min() as f64 / 1e6,
        mean: of.mean() / 1e6,
        p50: at(0.5),
        p90: at(0.9),
        p95: at(0.95),
        p99: at(0.99),
        p99_9: at(0.999),
        max: of.max() as f64 / 1e6,
    }
}

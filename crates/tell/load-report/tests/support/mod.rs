//! A run that was recorded by the recorder itself, of requests whose times are known.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tacho_load::Anchor;
use tacho_load::recorder::{Measured, PhaseTotals, Recorder};
use tacho_load::transport::{Fault, Outcome, Via};
use tacho_run_folder::{ErrorCount, ErrorKind, PhaseRecord, Word};

const SECOND: u64 = 1_000_000_000;
const EXEC: u64 = 50_000 * SECOND;

pub struct Recorded {
    folder: PathBuf,
    /// Shared by the tests of a file, which only read.
    recorder: Mutex<Recorder>,
    pub records: Vec<PhaseRecord>,
    /// Where the next phase begins, since `exec`.
    next_s: u64,
}

impl Recorded {
    /// In a folder of the build, not of the system: what is static is never dropped, so nobody
    /// would tidy up.
    pub fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let path = |name: &str| folder.join(name);
        let anchor = Anchor {
            monotonic_ns: EXEC,
            realtime_ns: 1_790_000_000_000_000_000,
        };
        let files = ["phases.hlog", "requests.csv", "slowest.csv"].map(path);
        let recorder = Recorder::create_files(&files[0], &files[1], &files[2], anchor).unwrap();
        Self {
            folder,
            recorder: Mutex::new(recorder),
            records: Vec::new(),
            next_s: 2,
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// `rate` requests a second. `answer` says for the n-th of the phase: which request of the mix,
    /// after how many microseconds it ended, and how.
    pub fn phase(
        &mut self,
        label: &str,
        rate: u64,
        seconds: u64,
        answer: impl Fn(u64) -> (u32, u64, Outcome),
    ) {
        let start = EXEC + self.next_s * SECOND;
        let index = self.records.len() as u32;
        let recorder = self.recorder.get_mut().unwrap();
        recorder.begin_phase(index, label, 2, true).unwrap();
        recorder.start_clock(start);
        let live = recorder.live();
        let mut all: Vec<Measured> = (0..rate * seconds)
            .map(|n| {
                let intended = start + n * SECOND / rate;
                let (request, took_us, outcome) = answer(n);
                let sent = intended + 20_000 + n % 7 * 3_000;
                Measured {
                    request,
                    intended,
                    dispatched: sent - 10_000,
                    sent,
                    first_byte: sent + took_us * 1_000 - 5_000,
                    end: sent + took_us * 1_000,
                    outcome,
                    via: Via::default(),
                }
            })
            .collect();
        all.sort_by_key(|m| m.end);
        let mut boundary = start + SECOND;
        for (measured, recorded) in all.iter().zip(0..) {
            while measured.end >= boundary {
                recorder.tick(boundary);
                boundary += SECOND;
                // The writer has returned the interval: each is one second.
                loop {
                    let shown = live.snapshot();
                    if shown.phase == index && shown.succeeded + shown.failed == recorded {
                        break;
                    }
                    std::thread::yield_now();
                }
            }
            recorder.record_lag(measured.dispatched - measured.intended);
            recorder.record(measured);
        }
        let last_end = all.iter().map(|m| m.end).max().unwrap_or(start);
        let totals = recorder.end_phase(last_end).unwrap();
        self.records
            .push(record(label, start, rate, &all, last_end, &totals));
        self.next_s += seconds + 1;
    }
}

fn record(
    label: &str,
    start: u64,
    rate: u64,
    all: &[Measured],
    last_end: u64,
    totals: &PhaseTotals,
) -> PhaseRecord {
    let mut errors: BTreeMap<Word<ErrorKind>, ErrorCount> = BTreeMap::new();
    let mut by_status: BTreeMap<String, u64> = BTreeMap::new();
    for measured in all {
        if let Some(kind) = measured.outcome.error_kind() {
            let error = errors.entry(kind.into()).or_default();
            error.count += 1;
            error.example = format!("GET /ping: {}", what(measured.outcome));
        }
        if let Outcome::Answered(status) = measured.outcome {
            *by_status.entry(format!("{}xx", status / 100)).or_default() += 1;
        }
    }
    let duration_s = (last_end - start) as f64 / 1e9;
    let failed: u64 = errors.values().map(|e| e.count).sum();
    PhaseRecord {
        label: label.to_owned(),
        kind: tacho_run_folder::PhaseTag::Open,
        started_ms: (start - EXEC) as f64 / 1e6,
        duration_s,
        requests: all.len() as u64,
        succeeded: all.len() as u64 - failed,
        throughput: by_status.values().sum::<u64>() as f64 / duration_s,
        errors,
        by_status,
        intended_rate: Some(rate as f64),
        response_time_ms: totals.response_time_ms,
        service_time_ms: totals.service_time_ms,
        dispatch_delay_ms: totals.dispatch_delay_ms,
        generator_lag_ms: totals.generator_lag_ms,
        on_time_response_ms: totals.on_time_response_ms,
        settled: None,
        unanswered: false,
        trouble: Vec::new(),
        reconnects: 1,
        generator_cpu_s: duration_s * 0.12,
        time_keeping: None,
        subject_cpu_s: 0.0,
        steal_s: 0.0,
        processors: None,
        interrupted: false,
        search: None,
        workers: Vec::new(),
    }
}

fn what(outcome: Outcome) -> String {
    match outcome {
        Outcome::Answered(status) | Outcome::Accepted(status) => {
            format!("answered with status {status}")
        }
        Outcome::Failed(fault) => fault.to_string(),
    }
}

/// Most around 4 ms, 1 in 100 takes 48 ms; one is refused by the subject, one takes too long.
pub fn usual(n: u64) -> (u32, u64, Outcome) {
    let request = u32::from(n % 4 == 3);
    match n {
        777 => (request, 1_000, Outcome::Answered(503)),
        1_234 => (
            request,
            900_000,
            Outcome::Failed(Fault::Timeout { received: 17 }),
        ),
        n if n % 100 == 50 => (request, 48_000, Outcome::Answered(200)),
        n => (request, 3_000 + n % 21 * 100, Outcome::Answered(200)),
    }
}

/// The interval from `ms` milliseconds on, for one second, waits until its end.
pub fn pause_at(ms: u64, rate: u64) -> impl Fn(u64) -> (u32, u64, Outcome) {
    move |n| {
        let intended_us = n * 1_000_000 / rate;
        let (from, to) = (ms * 1_000, ms * 1_000 + 1_000_000);
        let waits = if (from..to).contains(&intended_us) {
            to - intended_us
        } else {
            0
        };
        (0, 2_000 + waits, Outcome::Answered(200))
    }
}

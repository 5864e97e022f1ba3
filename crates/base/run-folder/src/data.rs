//! A whole run in memory, as the analysis takes it. `tacho_run::load` alone makes one from a
//! folder.

use crate::{
    CollectionLog, Diagnosis, JvmSample, LaunchRecord, MemorySample, Plan, PreparedVariant,
    RequestRow, RunHeader, Sample,
};
use hdrhistogram::Histogram;
use std::collections::BTreeMap;

/// Everything that was recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct RunData {
    /// What was run, and on which machine: `run.json`.
    pub header: RunHeader,
    /// Cells, phases and the order of the launches: `plan.json`.
    pub plan: Plan,
    /// Every variant that was made, one file each in `variants/`.
    pub variants: Vec<PreparedVariant>,
    /// `launches/`, in their order.
    pub launches: Vec<LaunchData>,
    /// Launches with a file that cannot be read; they are in no figure.
    pub damaged: Vec<DamagedLaunch>,
    /// By cell and label of the phase, over the launches that were completed.
    pub times: BTreeMap<String, BTreeMap<String, PhaseTimes>>,
    /// Lines of their histogram logs that cannot be read.
    pub unreadable_lines: usize,
    /// `diagnosis/`: launches that count in no figure.
    pub diagnoses: Vec<DiagnosisData>,
}

/// A launch that was begun, and whose files are not what Tacho writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamagedLaunch {
    /// Name of its folder, such as `003-jar`.
    pub folder: String,
    /// Which file, and what is wrong with it.
    pub why: String,
}

/// The times of a phase, in nanoseconds, merged over the launches of a cell.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PhaseTimes {
    /// end - intended, of answers.
    pub response: Option<Histogram<u64>>,
    /// end - sent, of answers.
    pub service: Option<Histogram<u64>>,
    /// Requests that failed; they are in none of the two histograms.
    pub failed: u64,
}

/// A diagnosis launch.
#[derive(Debug, Clone, PartialEq)]
pub struct DiagnosisData {
    /// How the launch went: its `launch.json`.
    pub record: LaunchRecord,
    /// `diagnosis.json`; absent when the launch did not come so far.
    pub diagnosis: Option<Diagnosis>,
}

/// One launch with its series.
#[derive(Debug, Clone, PartialEq)]
pub struct LaunchData {
    /// How the launch went: its `launch.json`.
    pub record: LaunchRecord,
    /// What it held, ten times a second: `samples.csv`.
    pub samples: Vec<Sample>,
    /// `requests.csv`: the first 10,000.
    pub requests: Vec<RequestRow>,
    /// Where its memory was, once a second: `memory.csv`; empty when there is none.
    pub memory: Vec<MemorySample>,
    /// The JVM's own counters, ten times a second: `jvm.csv`; empty when there is none.
    pub jvm: Vec<JvmSample>,
    /// What the log of its collections says; absent when there is none.
    pub collections: Option<CollectionLog>,
    /// `phases.hlog` second by second, in the order of time; those of one phase follow one another.
    pub seconds: Vec<Second>,
}

/// The response times of one second of a phase, over all kinds of request.
#[derive(Debug, Clone, PartialEq)]
pub struct Second {
    /// Label of the phase, as in the plan.
    pub phase: String,
    /// When the second began, in seconds since `exec`.
    pub start_s: f64,
    /// Less than a second at the end of a phase.
    pub duration_s: f64,
    /// Requests that were answered with a status below 400.
    pub answered: u64,
    /// Requests of this second that were not.
    pub failed: u64,
    /// Mean response time of those that were answered, in milliseconds.
    pub mean_ms: f64,
    /// Their median response time, in milliseconds.
    pub p50_ms: f64,
    /// 99 % of them were answered sooner.
    pub p99_ms: f64,
    /// Of them, those that took longer than the objective of the sweep; 0 without one.
    pub over_objective: u64,
}

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
    /// `run.json`.
    pub header: RunHeader,
    /// `plan.json`.
    pub plan: Plan,
    /// `variants/`.
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
    /// Failed requests.
    pub failed: u64,
}

/// A diagnosis launch.
#[derive(Debug, Clone, PartialEq)]
pub struct DiagnosisData {
    /// `launch.json`.
    pub record: LaunchRecord,
    /// `diagnosis.json`; absent when the launch did not come so far.
    pub diagnosis: Option<Diagnosis>,
}

/// One launch with its series.
#[derive(Debug, Clone, PartialEq)]
pub struct LaunchData {
    /// `launch.json`.
    pub record: LaunchRecord,
    /// `samples.csv`.
    pub samples: Vec<Sample>,
    /// `requests.csv`: the first 10,000.
    pub requests: Vec<RequestRow>,
    /// `memory.csv`.
    pub memory: Vec<MemorySample>,
    /// `jvm.csv`.
    pub jvm: Vec<JvmSample>,
    /// What the log of its collections says; absent when there is none.
    pub collections: Option<CollectionLog>,
    /// `phases.hlog` second by second, in the order of time; those of one phase follow one another.
    pub seconds: Vec<Second>,
}

/// The response times of one second of a phase, over all kinds of request.
#[derive(Debug, Clone, PartialEq)]
pub struct Second {
    /// [`crate::PhasePlan::label`].
    pub phase: String,
    /// Since `exec`.
    pub start_s: f64,
    /// Less than a second at the end of a phase.
    pub duration_s: f64,
    /// Requests that were answered with a status below 400.
    pub answered: u64,
    /// All others.
    pub failed: u64,
    /// Mean response time of those that were answered, in milliseconds.
    pub mean_ms: f64,
    /// Their median.
    pub p50_ms: f64,
    /// 99 % of them were answered sooner.
    pub p99_ms: f64,
    /// Of them, those that took longer than the objective of the sweep; 0 without one.
    pub over_objective: u64,
}

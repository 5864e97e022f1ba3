//! A whole run in memory, as the analysis takes it.

use crate::{
    CollectionLog, Diagnosis, FolderError, JvmSample, LaunchRecord, MemorySample, Plan,
    PreparedVariant, RequestRow, RunFolder, RunHeader, Sample,
};

/// Everything that was recorded, histograms excepted.
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
    /// `diagnosis/`: launches that count in no figure.
    pub diagnoses: Vec<DiagnosisData>,
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
    /// What the log of its collections says; absent without a log, and until somebody who understands such logs has read it
    /// (`tacho_gc_log::load`).
    pub collections: Option<CollectionLog>,
    /// `phases.hlog` second by second; empty until somebody who reads such files has looked (`tacho_report::series::load_seconds`), which is dear
    /// and only done for a sweep over warm-ups.
    pub seconds: Vec<Second>,
}

/// The response times of one second of a phase, over all kinds of request.
#[derive(Debug, Clone, PartialEq)]
pub struct Second {
    /// [`crate::PhasePlan::label`].
    pub phase: String,
    /// Since `exec`.
    pub start_s: f64,
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

impl RunFolder {
    /// Reads the run, logs of collections excepted.
    pub fn load(&self) -> Result<RunData, FolderError> {
        let launches = self
            .launches()?
            .iter()
            .map(|dir| {
                Ok(LaunchData {
                    record: dir.record()?,
                    samples: dir.samples()?,
                    requests: dir.requests()?,
                    memory: dir.memory()?,
                    jvm: dir.jvm()?,
                    collections: None,
                    seconds: Vec::new(),
                })
            })
            .collect::<Result<_, FolderError>>()?;
        let diagnoses = self
            .diagnoses()?
            .iter()
            .map(|dir| {
                Ok(DiagnosisData {
                    record: dir.record()?,
                    diagnosis: dir.diagnosis()?,
                })
            })
            .collect::<Result<_, FolderError>>()?;
        Ok(RunData {
            header: self.header()?,
            plan: self.plan()?,
            variants: self.variants()?,
            launches,
            diagnoses,
        })
    }
}

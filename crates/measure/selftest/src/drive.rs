//! Runs the load engine as `tacho load --rate` does. The only module that knows its API.

use crate::machine;
use std::net::SocketAddr;
use tacho_load::recorder::Files;
use tacho_load::{
    Control, Endpoint, Generator, LoadError, Options, RecorderError, Scripted, ScriptedError,
};
use tacho_run_folder::{AnswerEnd, PhaseKind, PhasePlan, Quantiles};
use tacho_workload::{Step, Workload};

/// A course that the engine could not carry out.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// No folder for the recorder's files.
    #[error(transparent)]
    Scratch(#[from] tacho_launch::LeaseError),
    /// The recorder could not write.
    #[error(transparent)]
    Recorder(#[from] RecorderError),
    /// The request could not be made.
    #[error(transparent)]
    Request(#[from] ScriptedError),
    /// The phase could not be carried out.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// What the engine reports of a course, as far as it is judged.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reported {
    pub succeeded: u64,
    pub response_time_ms: Option<Quantiles>,
    pub service_time_ms: Option<Quantiles>,
    pub generator_lag_ms: Option<Quantiles>,
    /// What the end of a request is, where it was told.
    pub ends: Option<AnswerEnd>,
    /// How long its thread was ready to run and did not.
    pub waited_ms: f64,
}

/// Requests at a constant rate.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    pub rate: f64,
    pub duration_s: f64,
    pub connections: u32,
}

/// Sends the requests of a course from the calling thread.
pub fn drive(address: SocketAddr, load: Load, control: &Control) -> Result<Reported, DriveError> {
    let scratch = tacho_launch::Scratch::new()?;
    let files = Files::in_folder(scratch.path());
    let mut recorder = files.record()?;
    let endpoint = Endpoint::new(address);
    let workload = Workload::of(Step::get("/"));
    let source = Scripted::of(&workload, scratch.path(), &endpoint, 1)?;
    let mut generator = Generator::new(endpoint, Box::new(source), Options::default())?;
    let plan = PhasePlan {
        label: "self-test".to_owned(),
        kind: PhaseKind::Open {
            rate: load.rate,
            duration_s: load.duration_s,
            connections: load.connections,
        },
    };
    let waited_before = machine::waited_ms();
    let record = generator.run(0, &plan, &mut recorder, control)?;
    Ok(Reported {
        succeeded: record.succeeded,
        response_time_ms: record.response_time_ms,
        service_time_ms: record.service_time_ms,
        generator_lag_ms: record.generator_lag_ms,
        ends: record.time_keeping.map(|kept| kept.ends),
        waited_ms: machine::waited_ms() - waited_before,
    })
}

//! Runs the load engine as `tacho load --rate` does. The only module that knows its API.

use crate::course::Course;
use crate::machine;
use std::net::SocketAddr;
use std::time::SystemTime;
use tacho_load::{
    Anchor, Control, Endpoint, Generator, LoadError, Mix, Options, Recorder, RecorderError,
    Request, RequestError, monotonic_ns,
};
use tacho_run_folder::{PhaseKind, PhasePlan, PhaseRecord};

/// A course that the engine could not carry out.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// No folder for the recorder's files.
    #[error(
        "cannot make a scratch folder: {0}; make room in the folder for temporary files, or name another in TMPDIR"
    )]
    Scratch(std::io::Error),
    /// The recorder could not write.
    #[error(transparent)]
    Recorder(#[from] RecorderError),
    /// The request could not be made.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The phase could not be carried out.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// What the engine reports, and how long its thread waited for a processor.
#[derive(Debug)]
pub struct Driven {
    pub record: PhaseRecord,
    pub waited_ms: f64,
}

/// Sends the requests of a course from the calling thread.
pub fn drive(
    address: SocketAddr,
    course: &Course,
    control: &Control,
) -> Result<Driven, DriveError> {
    let scratch = tempfile::tempdir().map_err(DriveError::Scratch)?;
    let path = |name: &str| scratch.path().join(name);
    let anchor = Anchor {
        exec_ns: monotonic_ns(),
        wall: SystemTime::now(),
    };
    let mut recorder = Recorder::create_files(
        &path("phases.hlog"),
        &path("requests.csv"),
        &path("slowest.csv"),
        anchor,
    )?;
    let endpoint = Endpoint::new(address);
    let mix = Mix::new(&[Request::get("/")], &endpoint, 1)?;
    let mut generator = Generator::new(endpoint, mix, Options::default())?;
    let plan = PhasePlan {
        label: course.name().to_owned(),
        kind: PhaseKind::Open {
            rate: course.rate(),
            duration_s: course.duration_s(),
            connections: course.connections(),
        },
    };
    let waited_before = machine::waited_ms();
    let record = generator.run(0, &plan, &mut recorder, control)?;
    Ok(Driven {
        record,
        waited_ms: machine::waited_ms() - waited_before,
    })
}

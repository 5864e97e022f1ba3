//! What can keep a scenario from being measured.

use std::io;
use std::path::PathBuf;

/// A scenario, or the whole benchmark, that could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// Generator and subject would share one.
    #[error(
        "this benchmark needs two processors, one for the generator and one for the subject; this process may use {0}"
    )]
    Processors(usize),
    /// A program is not there.
    #[error("{program} is missing; {remedy}")]
    Missing {
        program: String,
        remedy: &'static str,
    },
    /// A program did not start.
    #[error("cannot start {program}: {source}")]
    Start { program: String, source: io::Error },
    /// A program did not end.
    #[error("{command} was still running after {seconds} s and was ended")]
    Stuck { command: String, seconds: u64 },
    /// A program said something else than a result.
    #[error("{command} gave no result that can be read ({reason}); it said: {said}")]
    Unreadable {
        command: String,
        reason: String,
        said: String,
    },
    /// The subject does not answer.
    #[error("the subject at {0} does not answer; see its log in the folder for temporary files")]
    Silent(std::net::SocketAddr),
    /// More files than this process may open.
    #[error(
        "{connections} connections need {needed} open files, but the hard limit is {allowed}; raise it with `ulimit -Hn {needed}` as root"
    )]
    TooFewFiles {
        connections: u32,
        needed: u64,
        allowed: u64,
    },
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File { path: PathBuf, source: io::Error },
    /// The kernel refused something else.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A script that cannot be played.
    #[error(transparent)]
    Script(#[from] tacho_selftest::ScriptError),
    /// What the witness wrote.
    #[error(transparent)]
    Testimony(#[from] tacho_witness::ReadError),
    /// A course that cannot be told beforehand.
    #[error(transparent)]
    Course(#[from] tacho_selftest::CourseError),
}

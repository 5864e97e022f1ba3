//! Why a run could not be carried out. A launch that fails is no such error: it is recorded, and
//! the run goes on.

use crate::duet::DuetError;
use crate::session::SiteError;
use crate::stop::Stop;
use std::path::PathBuf;
use tacho_cgroup::CgroupError;
use tacho_launch::LeaseError;
use tacho_launch::descriptors::NoDescriptors;
use tacho_launch::threads::NoThread;

use tacho_load::{LoadError, RequestError, ScriptedError};
use tacho_observe::SamplerError;
use tacho_run_folder::FolderError;
use tacho_subject::{ArtifactError, PrepareError, Unavailable};
use tacho_workload::WorkloadError;

/// Why a run ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The run folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The artifact of a variant.
    #[error("variant `{variant}`: {source}")]
    Artifact {
        /// Name of the variant.
        variant: String,
        /// Why its artifact cannot be used.
        source: ArtifactError,
    },
    /// A variant cannot be made here.
    #[error(
        "variant `{variant}` cannot be made: {source}\nTake it out of the experiment to run the others."
    )]
    Unavailable {
        /// Name of the variant.
        variant: String,
        /// What is missing here.
        source: Unavailable,
    },
    /// Making a variant failed.
    #[error(
        "variant `{variant}` could not be made: {source}\nTake it out of the experiment to run the others."
    )]
    Prepare {
        /// Name of the variant.
        variant: String,
        /// Which step failed, and how.
        source: PrepareError,
    },
    /// What the log is to say is no pattern.
    #[error(
        "variant `{variant}`: `ready: log` is no regular expression: {source}\nPut a backslash before what is meant as it stands, such as `\\(`."
    )]
    ReadyPattern {
        /// Name of the variant.
        variant: String,
        /// What is wrong with the pattern.
        source: regex::Error,
    },
    /// A launch is planned that cannot be carried out.
    #[error(
        "launch {number} is planned for `{cell}`, {lack}: the plan and the experiment do not belong together. Run again; what was measured so far is in the run folder."
    )]
    NotPlanned {
        /// Number of the launch in the plan.
        number: u32,
        /// Id of the cell that it is planned for.
        cell: String,
        /// What is missing.
        lack: String,
    },
    /// The cluster that launches are started on.
    #[error(transparent)]
    Site(SiteError),
    /// Two launches cannot run at the same time.
    #[error(transparent)]
    Duet(#[from] DuetError),
    /// The kernel does not leave a launch on its half of the processors.
    #[error("the kernel does not divide the processors: {0}; run without --duet")]
    Processors(#[source] std::io::Error),
    /// The experiment's own build command failed.
    #[error(
        "the build of `{what}` failed ({how}): {command}\n{tail}\nThe whole output is in {log}."
    )]
    Build {
        /// `the subject`, or a variant.
        what: String,
        /// Exit code or signal.
        how: String,
        /// The command that was run.
        command: String,
        /// The last lines that it printed.
        tail: String,
        /// The whole output.
        log: PathBuf,
    },
    /// Limits were asked for, and cannot be had.
    #[error(
        "the limits cannot be applied: {0}\nNothing was started: a run without its limits would answer another question. `tacho doctor` says what is missing."
    )]
    Limits(#[from] CgroupError),
    /// More processors than there are.
    #[error(
        "{asked} processors were asked for (`{limits}`), and {there}: ask for at most that many, or measure on a larger one"
    )]
    TooManyProcessors {
        /// Name of the limits.
        limits: String,
        /// Processors that were asked for.
        asked: String,
        /// How many there are, as a part of the sentence.
        there: String,
    },
    /// More memory than there is.
    #[error(
        "{asked} of memory were asked for (`{limits}`), and this machine has {there}: ask for at most that much, or measure on a larger one"
    )]
    TooMuchMemory {
        /// Name of the limits.
        limits: String,
        /// Memory that was asked for.
        asked: String,
        /// How much there is, as it can be asked for.
        there: String,
    },
    /// A companion that is not there.
    #[error(
        "there is no process {pid} to be a companion: start what the subject needs first, and give the number of its process (`pgrep -f NAME`)"
    )]
    NoCompanion {
        /// The number that was given.
        pid: u32,
    },
    /// A companion that the experiment starts is not there when it is needed.
    #[error(
        "companion {name}: {why}{}\nAll that it wrote is in {log}.",
        ended_with(.said)
    )]
    CompanionNotReady {
        /// As the experiment names it.
        name: String,
        /// What happened, and the way out.
        why: String,
        /// The last lines of its output; empty when it wrote nothing.
        said: String,
        /// All of it.
        log: PathBuf,
    },
    /// What was started cannot be put on record.
    #[error(transparent)]
    Lease(#[from] LeaseError),
    /// Sending or recording cannot go on.
    #[error(transparent)]
    Load(LoadError),
    /// Sampling cannot go on.
    #[error(transparent)]
    Sampler(#[from] SamplerError),
    /// A request cannot be sent.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// A request cannot be made.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
    /// The subject did not even start once, before the measurements.
    #[error("the subject could not be looked at: {reason}")]
    Scout {
        /// What happened, with its last log lines.
        reason: String,
    },
    /// A variant cannot be put into an image.
    #[error(transparent)]
    Image(#[from] tacho_image::ImageError),
    /// Tacho has no file descriptors left.
    #[error(transparent)]
    NoDescriptors(#[from] NoDescriptors),
    /// The machine gives Tacho no further thread.
    #[error(transparent)]
    NoThread(#[from] NoThread),
    /// The user ended the run before anything was measured.
    #[error("stopped before the first launch")]
    Stopped,
}

impl RunError {
    /// What went wrong elsewhere. What is given up since the user wishes to end has not gone wrong.
    pub(crate) fn elsewhere(error: SiteError, stop: &Stop) -> Self {
        match stop.is_set() {
            true => Self::Stopped,
            false => Self::Site(error),
        }
    }
}

fn ended_with(said: &str) -> String {
    match said.is_empty() {
        true => "\nIt wrote nothing.".to_owned(),
        false => format!("\nIts output ended with\n{said}"),
    }
}

impl From<ScriptedError> for RunError {
    fn from(error: ScriptedError) -> Self {
        match error {
            ScriptedError::Workload(error) => Self::Workload(error),
            ScriptedError::Request(error) => Self::Request(error),
        }
    }
}

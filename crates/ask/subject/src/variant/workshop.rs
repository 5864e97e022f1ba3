//! Where variants are made: an interface through which others run the commands and the training
//! launches.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One command of a build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// For progress: `extracting the jar`.
    pub purpose: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// Folder in which the command runs.
    pub directory: PathBuf,
    /// Environment beside the inherited one.
    pub environment: BTreeMap<String, String>,
    /// After this it is ended and has failed.
    pub timeout: Duration,
}

/// What a command printed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StepOutput {
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

/// A subject to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launchable {
    /// For progress: `training launch for the AOT cache`.
    pub purpose: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// Folder in which it runs.
    pub directory: PathBuf,
    /// Environment beside the inherited one.
    pub environment: BTreeMap<String, String>,
    /// Whether requests are sent to it once it is ready; else its start-up is all that is trained.
    pub asked: bool,
    /// How long it may take to end after SIGTERM: a JVM writes its archive then.
    pub grace: Duration,
}

/// Why a command or a training launch did not do its work.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// It could not be started.
    #[error("{program} could not be started: {source}")]
    NotStarted {
        /// Name or path of the program.
        program: String,
        /// Why the system could not start it.
        source: std::io::Error,
    },
    /// It ended with another code than 0.
    #[error("`{command}` failed ({how}). It said last:\n{last_lines}")]
    Failed {
        /// To copy and paste.
        command: String,
        /// `exit code 1`, `signal 9`.
        how: String,
        /// The end of what it printed.
        last_lines: String,
    },
    /// It took too long and was ended.
    #[error("`{command}` did not end within {seconds} s and was stopped")]
    TimedOut {
        /// To copy and paste.
        command: String,
        /// The time that it had.
        seconds: u64,
    },
    /// The training launch never became ready, or failed its requests.
    #[error(
        "the training launch failed: {reason}. The plain variant would fail alike: try it first"
    )]
    Training {
        /// One sentence, with last log lines where there are any.
        reason: String,
    },
    /// The user ended the run.
    #[error("interrupted")]
    Interrupted,
}

/// Runs what is needed to make a variant. The runner implements it with its own processes, so that
/// whatever is started is also ended; tests implement it with fakes.
pub trait Workshop {
    /// Runs a command to its end.
    ///
    /// # Errors
    /// When it cannot be started, does not end in time, or ends with a code other than 0.
    fn run(&mut self, step: Step) -> Result<StepOutput, StepError>;

    /// Starts the subject without limits, waits until it is ready, sends the experiment's own
    /// requests, sends SIGTERM and waits until it and its children are gone. The code that it
    /// ends with is of no account.
    ///
    /// # Errors
    /// When it does not become ready, answers none of the requests, or does not end.
    fn train(&mut self, launch: Launchable) -> Result<(), StepError>;

    /// A folder for what is made. It exists, is this variant's alone and stays for the whole run.
    fn directory(&self) -> &Path;
}

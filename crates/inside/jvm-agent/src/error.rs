//! Why the agent does not do what it is asked for.

use std::path::PathBuf;
use std::time::Duration;
use tacho_attach::AttachError;

/// Each text says what to do next.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// There is no way into the JVM.
    #[error(transparent)]
    Attach(#[from] AttachError),
    /// The agent says why.
    #[error("the agent in process {pid} refuses: {said}")]
    Refused {
        /// Process id of the JVM.
        pid: u32,
        /// In its own words.
        said: String,
    },
    /// It is of another version.
    #[error(
        "the agent in process {pid} is of another version of Tacho; restart the JVM, or use that version"
    )]
    OtherVersion {
        /// Process id of the JVM.
        pid: u32,
    },
    /// It is there, and silent.
    #[error(
        "the agent in process {pid} has not answered `{command}` within {} s: is the JVM stopped, or starved of processor time? Its instruments are removed when this program ends",
        waited.as_secs()
    )]
    NoAnswer {
        /// Process id of the JVM.
        pid: u32,
        /// What it was asked.
        command: &'static str,
        /// For how long.
        waited: Duration,
    },
    /// It is no answer of this agent.
    #[error(
        "the agent in process {pid} answered `{command}`, but the answer cannot be read ({why}); the JVM may hold another version of the agent. Restart the JVM"
    )]
    Garbled {
        /// Process id of the JVM.
        pid: u32,
        /// What it was asked.
        command: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// What would clean up after a kill cannot be written.
    #[error(transparent)]
    Lease(#[from] tacho_launch::LeaseError),
    /// A file of the session, or the agent's jar, could not be written.
    #[error(
        "cannot write {path}: {source}; the agent and its session need a folder that the JVM can see, with room in it"
    )]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Why the system refused.
        source: std::io::Error,
    },
}

impl AgentError {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { path, source }
    }
}

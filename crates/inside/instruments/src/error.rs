//! Why an instrument shows nothing.

use std::path::PathBuf;
use tacho_attach::AttachError;
use tacho_jfr::JfrError;
use tacho_jvm_agent::AgentError;
use tacho_profiler::ProfilerError;

/// Each text says what to do next.
#[derive(Debug, thiserror::Error)]
pub enum InstrumentError {
    /// The agent in a running JVM, or the way into it.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// async-profiler is not there, or could not be used.
    #[error(transparent)]
    Profiler(#[from] ProfilerError),
    /// A flight recording could not be made or read.
    #[error(transparent)]
    Recording(#[from] JfrError),
    /// No loaded class has what was named.
    #[error(
        "nothing was instrumented: {what}{}{}",
        .reasons.iter().map(|reason| format!("; {reason}")).collect::<String>(),
        .near.iter().map(|hint| format!("\n{hint}")).collect::<String>()
    )]
    NoSuchMethod {
        /// What is not there.
        what: String,
        /// Of those that could not be instrumented.
        reasons: Vec<String>,
        /// What there is of like names, and what to do; a sentence for each pattern.
        near: Vec<String>,
    },
    /// No sampler is available for this JVM.
    #[error("this JVM cannot be sampled: {0}")]
    NoSampler(String),
    /// The JVM ended before it could complete the recording.
    #[error(
        "process {pid} was killed while it was sampled, so its recording is incomplete and cannot be read; see in its log or the kernel's (`dmesg`) what killed it"
    )]
    CutOff {
        /// Process id of the JVM.
        pid: u32,
    },
    /// No JDK here can read the recording.
    #[error("there is no JDK here, 17 or newer, that could read the recording{}; install one (`tacho doctor` says how; for root it has to be where every user can run it and nobody else can change it), or look at it with JDK Mission Control elsewhere", .kept.as_ref().map_or_else(String::new, |path| format!(", which is {}", path.display())))]
    NoReader {
        /// Where it is.
        kept: Option<PathBuf>,
    },
    /// A file could not be written.
    #[error("cannot write {path}: {source}; check that the folder exists and has room")]
    Write {
        /// File that could not be written.
        path: PathBuf,
        /// Why the system refused.
        source: std::io::Error,
    },
    /// Signals could not be caught.
    #[error("cannot catch signals: {0}")]
    Signals(#[source] std::io::Error),
}

impl From<AttachError> for InstrumentError {
    fn from(error: AttachError) -> Self {
        Self::Agent(error.into())
    }
}

impl InstrumentError {
    pub(crate) fn write(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Write { path, source }
    }
}

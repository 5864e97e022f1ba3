//! Errors of the command line, each with its exit code.

use crate::exit::Exit;
use crate::load::error::LoadCommandError;
use std::path::PathBuf;
use tacho_analysis::check::CheckError;
use tacho_cluster::{NotRolled, NotThere, ServeError};
use tacho_image::ImageError;
use tacho_instruments::InstrumentError;
use tacho_native_kit::NativeKitError;
use tacho_record::RecordError;
use tacho_registry::RegistryError;
use tacho_report::ReportError;
use tacho_run_folder::FolderError;
use tacho_runner::{BuildsError, RunError};
use tacho_subject::{ArtifactError, SourceError};

/// Why a command did not do its work.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The experiment file, or the artifact.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Calls of gRPC.
    #[error(transparent)]
    Calls(#[from] tacho_import::NotCalled),
    /// A file of claims.
    #[error(transparent)]
    Claims(#[from] tacho_fields::FileError),
    /// A cluster.
    #[error(transparent)]
    Cluster(#[from] tacho_cluster_api::ClusterError),
    /// `tacho record`.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A run on one.
    #[error(transparent)]
    NotThere(#[from] NotThere),
    /// As the pod that carries one out.
    #[error(transparent)]
    RunPod(#[from] ServeError),
    /// A registry of images.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// `tacho rollout`.
    #[error(transparent)]
    NotRolled(#[from] NotRolled),
    /// What was recorded a moment ago.
    #[error("{path} cannot be read: {why}; is the temporary folder full?")]
    Unread {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// A sweep over warm-ups in which nobody is served.
    #[error(
        "the experiment has no phase that sends requests at a set rate, so a cold service would go unnoticed; add an `open` phase, or give --rate"
    )]
    NoUsers,
    /// `--recipes` for variants that all have a warm-up.
    #[error(
        "--recipes would change nothing, because each variant has a warm-up in the experiment already; take `warm-up` out of the file, or leave --recipes out"
    )]
    RecipesOfTheFile,
    /// Two variants of a sweep with one name.
    #[error(
        "with the name of its recipe, a second variant is called `{0}`; name each recipe once in --recipes, or give a variant of the file another `name`"
    )]
    SweptTwice(String),
    /// There is no Deployment to write.
    #[error(transparent)]
    NoDeployment(#[from] tacho_kubernetes::NoDeployment),
    /// `diagnose` without anything.
    #[error(
        "nothing to look into: give a jar, an experiment file, or --baseline and --candidate (see `tacho diagnose --help`)"
    )]
    NothingToDiagnose,
    /// The stored runs that `diagnose` compares.
    #[error(transparent)]
    Stored(#[from] crate::commands::StoredError),
    /// Stored runs that did not measure the same.
    #[error(transparent)]
    Unlike(#[from] tacho_analysis::two_runs::Unlike),
    /// The builds that `diagnose` compares.
    #[error(transparent)]
    Builds(#[from] BuildsError),
    /// async-profiler could not be installed.
    #[error(transparent)]
    Profiler(#[from] tacho_profiler::ProfilerError),
    /// There is none.
    #[error(
        "async-profiler is not installed; `tacho profiler install` fetches it from Maven Central, or name a libasyncProfiler.so in TACHO_ASYNC_PROFILER"
    )]
    NoProfiler,
    /// An objective that is not understood.
    #[error("{0}")]
    Check(#[from] CheckError),
    /// `init` found a file.
    #[error("{0} exists already; choose another name with --output, or overwrite it with --force")]
    Exists(PathBuf),
    /// A file could not be written.
    #[error("cannot write {path}: {source}; check that the folder exists and has room")]
    Write {
        /// File that could not be written.
        path: PathBuf,
        /// Why the system refused.
        source: std::io::Error,
    },
    /// Standard output could not be written.
    #[error("cannot write to standard output: {0}")]
    Output(#[source] std::io::Error),
    /// Signals could not be caught.
    #[error("cannot catch signals: {0}")]
    Signals(#[source] std::io::Error),
    /// No such schema.
    #[error("there is no schema `{asked}`; there are: {there_are}")]
    NoSchema {
        /// As it was asked for.
        asked: String,
        /// Names of all.
        there_are: String,
    },
    /// A run could not be carried out to its end.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The run folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// `tacho selftest` could not be carried out.
    #[error(transparent)]
    Selftest(#[from] tacho_selftest::SelfTestError),
    /// `tacho witness` cannot listen.
    #[error("cannot listen on {address}: {source}; name another place with --listen")]
    Listen {
        /// Where it was to.
        address: std::net::SocketAddr,
        /// Why the kernel refuses.
        source: std::io::Error,
    },
    /// `tacho witness` had to end.
    #[error("the witness could not go on: {0}; see that files may be opened (`ulimit -n`)")]
    Witness(#[source] std::io::Error),
    /// A collection log could not be read.
    #[error(transparent)]
    GcLog(#[from] tacho_gc_log::GcLogError),
    /// `--compare` with more or fewer than two logs.
    #[error(
        "--compare takes two logs, and {0} were named; files of one log go into a directory or an archive"
    )]
    TwoLogs(usize),
    /// A page or a document.
    #[error(transparent)]
    Render(#[from] tacho_report::RenderError),
    /// `tacho load` sent nothing, or could not report it.
    #[error(transparent)]
    Load(Box<LoadCommandError>),
    /// `tacho native-kit install`.
    #[error(transparent)]
    NativeKit(#[from] NativeKitError),
    /// `tacho native-kit which` found none.
    #[error(
        "there is no native-image here: GRAALVM_HOME is not set, the PATH has none, and no kit is installed; `tacho native-kit install` makes one"
    )]
    NoImageBuilder,
    /// `tacho fit` has no range to search.
    #[error(transparent)]
    NothingToFit(#[from] tacho_fit::NothingToFit),
    /// The memory of a process could not be looked at.
    #[error(transparent)]
    Memory(#[from] tacho_memory::MemoryError),
    /// The exports of a profile.
    #[error(transparent)]
    Export(#[from] tacho_diagnosis_report::export::ExportError),
    /// An instrument in a running JVM.
    #[error(transparent)]
    Instrument(#[from] InstrumentError),
    /// The readiness gate of `tacho warm`.
    #[error(transparent)]
    Gate(#[from] tacho_warm_up::GateError),
    /// A run could not be analysed or reported.
    #[error(transparent)]
    Report(#[from] ReportError),
}

impl From<ArtifactError> for Error {
    fn from(error: ArtifactError) -> Self {
        Self::Source(error.into())
    }
}

impl From<tacho_load_report::LoadReportError> for Error {
    fn from(error: tacho_load_report::LoadReportError) -> Self {
        LoadCommandError::from(error).into()
    }
}

impl From<tacho_load::LoadError> for Error {
    fn from(error: tacho_load::LoadError) -> Self {
        LoadCommandError::from(error).into()
    }
}

impl From<LoadCommandError> for Error {
    fn from(error: LoadCommandError) -> Self {
        Self::Load(Box::new(error))
    }
}

impl Error {
    /// The exit code.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Source(
                SourceError::File(_)
                | SourceError::Artifact(_)
                | SourceError::UnknownVariant { .. },
            )
            | Self::Calls(_)
            | Self::Claims(_)
            | Self::Check(_)
            | Self::Exists(_)
            | Self::NoSchema { .. }
            | Self::Instrument(InstrumentError::NoSuchMethod { .. })
            | Self::NoUsers
            | Self::RecipesOfTheFile
            | Self::SweptTwice(_)
            | Self::NothingToDiagnose
            | Self::Builds(_)
            | Self::Stored(_)
            | Self::Unlike(_)
            | Self::NoDeployment(_)
            | Self::NothingToFit(_)
            | Self::GcLog(_)
            | Self::TwoLogs(_)
            | Self::Folder(FolderError::NotARun(_))
            | Self::Run(
                RunError::Artifact { .. }
                | RunError::Request(_)
                | RunError::NoCompanion { .. }
                | RunError::Duet(_),
            ) => Exit::Usage,
            Self::Load(error) if error.is_usage() => Exit::Usage,
            Self::Run(RunError::Image(error)) if error.is_usage() => Exit::Usage,
            Self::NativeKit(NativeKitError::WrongUsage) => Exit::Usage,
            Self::Record(
                RecordError::BadService(_)
                | RecordError::PathOfService(_)
                | RecordError::Tls(_)
                | RecordError::NotLoopback(_)
                | RecordError::Exists { .. }
                | RecordError::OneFile(_),
            ) => Exit::Usage,
            Self::NotThere(
                NotThere::NotYet { .. }
                | NotThere::NoImageWay { .. }
                | NotThere::Registry(RegistryError::BadName(_)),
            )
            | Self::Registry(RegistryError::BadName(_)) => Exit::Usage,
            Self::NotThere(NotThere::Interrupted) | Self::Registry(RegistryError::Stopped) => {
                Exit::Interrupted
            }
            Self::NotRolled(
                NotRolled::NoDeployment { .. }
                | NotRolled::NotNow { .. }
                | NotRolled::NoService { .. }
                | NotRolled::NotThatService { .. }
                | NotRolled::SeveralServices { .. }
                | NotRolled::NoAddress(_)
                | NotRolled::NothingToCompare
                | NotRolled::NotOfAnExperiment(_)
                | NotRolled::RunPodInstead
                | NotRolled::FromClusterInstead(_)
                | NotRolled::SeveralPorts { .. }
                | NotRolled::OnlyOfAnExperiment(_)
                | NotRolled::NoRate
                | NotRolled::WantsImageOfUsers
                | NotRolled::ElsewhereToCrash { .. },
            ) => Exit::Usage,
            Self::NotRolled(
                NotRolled::NotOver { .. }
                | NotRolled::Stuck { .. }
                | NotRolled::ScaledByAnother { .. }
                | NotRolled::Failing { .. }
                | NotRolled::Unreached { .. }
                | NotRolled::UnreachedByAPod { .. }
                | NotRolled::NobodyAnswers
                | NotRolled::UsersGone { .. }
                | NotRolled::NobodyToLeave(_),
            ) => Exit::Invalid,
            Self::Registry(_)
            | Self::NativeKit(NativeKitError::NotMade { .. })
            | Self::Folder(FolderError::NothingLaunched(_) | FolderError::EndedAtOnce(_)) => {
                Exit::Invalid
            }
            Self::Run(RunError::Stopped) | Self::NativeKit(NativeKitError::Interrupted) => {
                Exit::Interrupted
            }
            Self::Run(
                RunError::Scout { .. }
                | RunError::Build { .. }
                | RunError::Image(
                    ImageError::Libraries(_)
                    | ImageError::Archive(_)
                    | ImageError::NotTrained { .. }
                    | ImageError::NotUsed { .. }
                    | ImageError::Nothing { .. },
                )
                | RunError::CompanionNotReady { .. },
            ) => Exit::Invalid,
            _ => Exit::Machine,
        }
    }
}

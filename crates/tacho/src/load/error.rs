//! What can be wrong with a load that was asked for.

use std::path::PathBuf;
use tacho_load::LoadError;
use tacho_load::transport::TransportError;

/// Why nothing was sent, or what was sent could not be reported.
#[derive(Debug, thiserror::Error)]
pub enum LoadCommandError {
    /// Neither a URL nor targets that name one.
    #[error("there is nowhere to send requests; give a URL such as http://localhost:8080/ping")]
    NoUrl,
    /// The URL is none that can be called.
    #[error(transparent)]
    Url(#[from] tacho_load::UrlError),
    /// Options of TLS for http.
    #[error(
        "{url} does not use TLS, but TLS options are given; write https:// or leave the options out"
    )]
    NotTls {
        /// As it was given.
        url: String,
    },
    /// Nowhere to write what the engine records.
    #[error(transparent)]
    Scratch(#[from] tacho_launch::LeaseError),
    /// The list of targets cannot be used.
    #[error(transparent)]
    Given(#[from] tacho_import::GivenError),
    /// What they list.
    #[error(transparent)]
    Targets(#[from] tacho_load::TargetsError),
    /// A list that is gone once it was sent.
    #[error(
        "--gate warms the service again after a restart, but a list from standard input or a pipe can be sent only once; put it into a file and name the file with --targets"
    )]
    GateNeedsFile,
    /// What requests of HTTP have, and messages have not.
    #[error(
        "{flag} applies to HTTP requests, but a WebSocket carries messages; leave it out, and give the message with --body"
    )]
    NotOfWebSocket {
        /// As it was given.
        flag: &'static str,
    },
    /// Nobody greets over HTTP.
    #[error("--greeting applies only to a WebSocket; write ws:// or wss://, or leave it out")]
    NoWebSocket,
    /// A message without a word.
    #[error("a WebSocket is sent a message and waits for its answer; say with --body what is sent")]
    NothingToSay,
    /// A connection is opened once, for whoever comes.
    #[error(
        "the header `{header}` holds a placeholder, but it is sent once, when a WebSocket is opened; only --body is made anew for each message"
    )]
    PlaceholderInUpgrade {
        /// As it was given.
        header: String,
    },
    /// Requests of a list are sent as they are.
    #[error(
        "{flag} works with a URL, or with targets in formats other than vegeta's: requests of such a list are sent as they are, each by itself, and of an answer only the status counts; leave {flag} out, or give a request as the URL"
    )]
    NotOfList {
        /// As it was given.
        flag: &'static str,
    },
    /// Targets have paths of their own.
    #[error(
        "targets and calls have paths of their own, so the URL says only which server gets them: write it without path and query{path}"
    )]
    PathAndTargets {
        /// Of the URL: ` (/shop)`; nothing where it has only a query.
        path: String,
    },
    /// A list that has one reader.
    #[error(
        "several --workers cannot share one list from standard input or a pipe; put it into a file and name the file with --targets"
    )]
    WorkersNeedFile,
    /// Nobody can listen there.
    #[error(
        "live figures cannot be served at {at}: {source}; name an address of this machine with a free port, such as 127.0.0.1:9464 (port 0: any)"
    )]
    NotScraped {
        /// As it was given.
        at: std::net::SocketAddr,
        /// Why the system refused.
        source: std::io::Error,
    },
    /// Nobody can send them.
    #[error("live figures cannot be sent to {to}: {source}; run again without --otlp")]
    NotPushed {
        /// As it was understood.
        to: tacho_load_report::Collector,
        /// Why the system refused.
        source: std::io::Error,
    },
    /// A cluster gets its programs as images.
    #[error(
        "workers on a cluster are started from an image: name one that holds this version of Tacho by --image (`tacho image $(command -v tacho) --output tacho.tar` makes it), or a command that hands one to the node by --load-image. The kubeconfig can say how images get there once for all (docs/kubernetes.md, \"How images get there\")"
    )]
    NoImage,
    /// A server that does not describe its messages.
    #[error(transparent)]
    Reflection(#[from] tacho_reflection::ReflectionError),
    /// A service that is warmed may not be there yet.
    #[error(
        "Tacho cannot ask a service that is still starting for its message types: name the file that declares the method by --proto FILE, or a set of descriptors by --protoset FILE"
    )]
    WarmNeedsSchema,
    /// Workers elsewhere do not have the files that a file imports, and this machine may not reach
    /// their server.
    #[error(
        "when workers elsewhere send, Tacho does not ask the server for its message types: give the file that declares the methods by --proto, or a set of descriptors by --protoset"
    )]
    ProtosetElsewhere,
    /// What a worker elsewhere needs could not be made.
    #[error("{path} cannot be written: {source}; is there space for temporary files (TMPDIR)?")]
    NotGiven {
        /// The file.
        path: PathBuf,
        /// Why the system refused.
        source: std::io::Error,
    },
    /// What means something on this machine alone.
    #[error("{0} works only on this machine; leave it out, or load without --on")]
    NotElsewhere(&'static str),
    /// An address that means another machine to each.
    #[error(
        "for a worker on a cluster, {0} is its own pod; use the name of the service in the cluster, such as http://SERVICE or http://SERVICE.NAMESPACE"
    )]
    OwnPod(String),
    /// A file that cannot be given to a worker elsewhere.
    #[error(
        "{path} is outside the folder of the targets, so workers elsewhere would not find it; put it beside the targets, and give its path relative to that folder",
        path = .0.display()
    )]
    OutsideOfTargets(PathBuf),
    /// Of an argument that goes to a worker elsewhere.
    #[error("arguments of workers elsewhere must be UTF-8; rename the file whose name is not")]
    NotText,
    /// A worker elsewhere.
    #[error(transparent)]
    Delegate(#[from] tacho_workers::DelegateError),
    /// Tacho does not know itself.
    #[error(
        "cannot find the tacho program to start workers with: {0}; call tacho by its full path"
    )]
    NoProgram(std::io::Error),
    /// The thread that sends ended by itself.
    #[error("the load ended by itself; this is an error in Tacho, please report it")]
    Crashed,
    /// Several generators.
    #[error(transparent)]
    Fleet(#[from] tacho_workers::FleetError),
    /// One of them.
    #[error(transparent)]
    Work(#[from] tacho_workers::WorkError),
    /// Flags that mean nothing beside targets.
    #[error("{flag} changes a request that comes from --targets; change it in the file instead")]
    TargetsAndRequest {
        /// The flag as it is written.
        flag: &'static str,
    },
    /// A feed of an unknown kind.
    #[error(transparent)]
    Feed(#[from] tacho_workload::WrongFeed),
    /// The requests cannot be made of what was given.
    #[error(transparent)]
    Requests(#[from] tacho_load::ScriptedError),
    /// The file of phases cannot be used.
    #[error(transparent)]
    Phases(#[from] tacho_experiment::FileError),
    /// The objective is none that can be searched for.
    #[error(transparent)]
    Objective(#[from] tacho_run_folder::ObjectiveError),
    /// A check that a load cannot be held against.
    #[error(transparent)]
    Check(#[from] tacho_load_report::check::CheckError),
    /// The load itself.
    #[error(transparent)]
    Load(#[from] tacho_load::LoadError),
    /// What was measured could not be recorded.
    #[error(transparent)]
    Recorder(#[from] tacho_load::RecorderError),
    /// What was measured could not be reported.
    #[error(transparent)]
    Report(#[from] tacho_load_report::LoadReportError),
}

impl LoadCommandError {
    /// Wrong usage, rather than something that the machine lacks.
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Scratch(_)
            | Self::Recorder(_)
            | Self::Report(_)
            | Self::NoProgram(_)
            | Self::Fleet(_)
            | Self::Work(_)
            | Self::Delegate(_)
            | Self::Reflection(_)
            | Self::NotPushed { .. }
            | Self::NotGiven { .. }
            | Self::NotScraped { .. } => false,
            Self::Load(error) => matches!(
                error,
                LoadError::Schedule { .. }
                    | LoadError::Search { .. }
                    | LoadError::Source(_)
                    | LoadError::Transport(TransportError::Tls(_))
            ),
            _ => true,
        }
    }
}

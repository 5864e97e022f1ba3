//! The life of one launch, lived in one place: `docs/decisions/0013-session.md`.
//!
//! ```text
//! live      start -> Running -> until ready -> Ready -> Hooks::load -> Hooks::leaving -> end
//! running   the processes of a launch, all alike, and the states that they go through
//! loading   a phase: somebody sends, somebody else notices when nobody answers any more
//! machine   real processes in control groups, real requests
//! elsewhere processes that a cluster has started, real requests
//! fake      processes with a scripted life, on a clock of their own (tests)
//! ```

mod elsewhere;
#[cfg(test)]
pub mod fake;
mod loading;
mod machine;
mod running;
#[cfg(test)]
mod tests;

pub use elsewhere::{Elsewhere, Site, SiteError};
pub use loading::{Load, Loading, Phase, may_want_tls};
pub use running::{Process, Ready, Running};

use crate::answers::Answer;
use crate::company::Company;
use crate::error::RunError;
use crate::pods::with_port_of_first;
use crate::processors::{Counters, Share};
use crate::requests::Question;
use crate::stop::Stop;
use crate::warming::Warmer;
use regex::Regex;
use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use tacho_experiment::{ReadyCondition, ReadySpec, WarmUp, limits};
use tacho_launch::failure::Evidence;
use tacho_launch::ready::{Condition, NotReady, Ready as Answering};
use tacho_launch::{Anchor, Exit};
use tacho_load::{Control, LoadError};
use tacho_run_folder::{
    FailureCause, FolderError, LaunchDir, LaunchOutcome, Limits, LimitsSeen, PhasePlan,
    PhaseRecord, PodLife, ResourcePoint, ResourceSummary, TimeLine, WarmUpRecord,
};
use tacho_subject::Prepared;

/// Between SIGTERM and SIGKILL, at most, where nothing is wanted of a process any more.
const GRACE_FOR_NOTHING: Duration = Duration::from_secs(5);

/// What is to be started.
#[derive(Debug, Clone)]
pub struct StartSpec {
    /// Name of the control group, unique within the run.
    pub name: String,
    /// Of this variant; empty for a companion.
    pub variant: String,
    /// The image that it is started from, by the name that it has there; absent: files of this
    /// machine.
    pub image: Option<String>,
    /// Program and arguments.
    pub command: Vec<String>,
    /// Folder in which it runs.
    pub directory: PathBuf,
    /// Beside the inherited environment.
    pub environment: BTreeMap<String, String>,
    /// CPU and memory that it is given.
    pub limits: Limits,
    /// Where its output goes.
    pub log: PathBuf,
    /// How readiness is found.
    pub readiness: Readiness,
    /// What is written of it while it runs.
    pub observation: Option<Observation>,
    /// The longest that its warm-up and its load may take; zero where it gets neither by a plan.
    pub longest: Duration,
}

impl StartSpec {
    /// A launch that is no measurement: without limits, and observed by nobody.
    pub fn aside(name: String, prepared: &Prepared, log: PathBuf, readiness: &Readiness) -> Self {
        Self {
            name,
            variant: prepared.record.name.clone(),
            image: None,
            command: prepared.record.command.clone(),
            directory: PathBuf::from(&prepared.record.directory),
            environment: prepared.record.environment.clone(),
            limits: limits::none(),
            log,
            readiness: readiness.clone(),
            observation: None,
            longest: Duration::ZERO,
        }
    }
}

/// How readiness is found.
#[derive(Debug, Clone)]
pub struct Readiness {
    /// When it is ready; a pattern is compiled here, once.
    pub condition: Condition,
    /// From its start.
    pub timeout: Duration,
    /// The port, where it is known beforehand; else it is found.
    pub port: Option<u16>,
    /// Paths that the framework is known for.
    pub preferred_paths: Vec<String>,
}

impl Readiness {
    /// As an experiment says; `request_path` is that of its first GET.
    pub fn of(spec: &ReadySpec, request_path: Option<String>) -> Result<Self, regex::Error> {
        Ok(Self {
            condition: match &spec.condition {
                ReadyCondition::Auto => Condition::Auto { request_path },
                ReadyCondition::Http(path) => Condition::Http(path.clone()),
                ReadyCondition::Port => Condition::Port,
                ReadyCondition::Log(pattern) => Condition::Log(regex::Regex::new(pattern)?),
            },
            timeout: spec.timeout,
            port: None,
            preferred_paths: Vec::new(),
        })
    }
}

/// The files that an observer writes.
#[derive(Debug, Clone)]
pub struct Observation {
    /// Samples of processor time and memory.
    pub samples: PathBuf,
    /// Mappings by kind.
    pub memory: Option<PathBuf>,
    /// The JVM's own counters.
    pub jvm: Option<PathBuf>,
    /// The JVM's log of its collections, which says where the heap lies.
    pub gc_log: Option<PathBuf>,
    /// Where that log is in the files that the process sees, if it is not there: it is fetched.
    pub gc_log_inside: Option<PathBuf>,
    /// Requests answered so far.
    pub requests: Arc<AtomicU64>,
}

/// One process of a launch.
pub trait Subject: Send + Sync {
    /// Watches until it is ready.
    fn until_ready(
        &mut self,
        readiness: &Readiness,
        stop: &Stop,
    ) -> Result<Answering, Box<NotReady>>;
    /// Watches until a line of its log matches; nothing of it has to listen.
    fn until_line(
        &mut self,
        pattern: &Regex,
        timeout: Duration,
        stop: &Stop,
    ) -> Result<TimeLine, Box<NotReady>>;
    /// How it ended, if it does within this time.
    fn exit_within(&mut self, at_most: Duration) -> Option<Exit>;
    /// It is stopped: by SIGSTOP, or by a debugger.
    fn is_stopped(&self) -> bool;
    /// What is known about its end, for the sentence that explains it.
    fn evidence(&self) -> Evidence;
    /// When it was executed.
    fn anchor(&self) -> Anchor;
    /// Its processes can be looked at; those of a pod elsewhere cannot.
    fn is_seen(&self) -> bool {
        true
    }
    /// Process ids of all that belongs to it.
    fn pids(&self) -> Vec<u32>;
    /// Begins to observe it.
    fn observe(&self, what: &Observation) -> Result<Box<dyn Observer>, RunError>;
    /// Processor time of its group, which counts also what has ended.
    fn cpu_s(&self) -> Option<f64>;
    /// What its group does; `None` when no limits were asked for.
    fn limits_seen(&self, asked: &Limits) -> Option<LimitsSeen>;
    /// Reads the counters of its group again.
    fn count_limits(&self, seen: &mut LimitsSeen);
    /// Changes its processors.
    fn set_cpu(&self, cpu: Option<f64>) -> Result<(), RunError>;
    /// What was told of its life around the process, where it is a pod.
    fn life(&self) -> Option<PodLife> {
        None
    }
    /// This phase begins: what is to be done to the subject meanwhile is begun.
    fn begin_phase(&mut self, _: &PhasePlan) {}
    /// The phase is over. Gives why the launch ends with it, where what was begun went wrong.
    fn end_phase(&mut self) -> Option<LaunchOutcome> {
        None
    }
    /// Ends it in order: SIGTERM, the grace, SIGKILL to all that is left.
    fn end(&mut self, grace: Duration) -> io::Result<End>;
    /// The same with a grace that may become shorter meanwhile, where it can be taken back.
    fn end_within(&mut self, grace: &dyn Fn() -> Duration) -> io::Result<End> {
        self.end(grace())
    }
}

/// How a process was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// How the process itself ended.
    pub exit: Exit,
    /// Bytes in the middle of its log that were not kept.
    pub left_out_of_log: u64,
}

/// Looks at a process while it runs.
pub trait Observer: Send + Sync {
    /// What it holds now, whatever looking costs: nothing is measured.
    fn point(&self) -> Option<ResourcePoint>;
    /// What it holds now, as far as looking costs next to nothing: requests are on their way.
    fn glance(&self) -> Option<ResourcePoint>;
    /// Observes no longer, and says what was seen.
    fn stop(self: Box<Self>) -> Result<ResourceSummary, RunError>;
}

/// Sends the requests of a launch.
pub trait Traffic {
    /// One phase; it ends early when the control says so.
    fn run(
        &mut self,
        index: u32,
        phase: &PhasePlan,
        control: &Control,
    ) -> Result<PhaseRecord, LoadError>;
}

/// What is sent where.
pub struct Route<'a> {
    /// What is sent.
    pub load: &'a Load<'a>,
    /// Of the first process.
    pub address: SocketAddr,
    /// Of the others, in turn with it.
    pub beside: &'a [SocketAddr],
    /// What instants count from.
    pub exec: Anchor,
}

/// Where processes are started and requests are sent.
pub trait Place: Sync {
    /// Starts a process; a failure is an outcome to be recorded, not an error of the run.
    fn start(&self, spec: &StartSpec) -> Result<Box<dyn Subject>, LaunchOutcome>;
    /// Starts what the subject needs beside it, on this machine.
    fn start_companion(&self, spec: &StartSpec) -> Result<Box<dyn Subject>, LaunchOutcome> {
        self.start(spec)
    }
    /// Makes ready to send; nothing is sent yet.
    fn traffic(&self, route: &Route<'_>) -> Result<Box<dyn Traffic>, RunError>;
    /// Warms one process.
    fn warm(
        &self,
        warmer: &Warmer<'_>,
        warm_up: &WarmUp,
        to: &Warmed<'_>,
    ) -> Result<WarmUpRecord, RunError>;
    /// What is started is a service: several processes at one address, each request of which is
    /// told with its connection.
    fn is_service(&self) -> bool {
        false
    }
    /// One request over a connection of its own.
    fn ask(
        &self,
        question: &Question,
        address: SocketAddr,
        patience: Duration,
    ) -> Result<Answer, RunError>;
    /// Who has used the processors so far.
    fn counters(
        &self,
        subject_cpu_s: Option<f64>,
        companions_cpu_s: f64,
        share: Share<'_>,
    ) -> Counters;
}

/// A process that is warmed.
pub struct Warmed<'a> {
    /// Where it answers.
    pub address: SocketAddr,
    /// Where its warm-up is recorded.
    pub folder: &'a LaunchDir,
    /// What instants count from.
    pub exec: Anchor,
}

/// What differs from one kind of launch to another.
pub trait Hooks {
    /// All processes run.
    fn running(&mut self, _: &Running) {}

    /// All processes are ready: sends what is to be sent.
    fn load(&mut self, ready: &mut Ready<'_>) -> Result<(), Halt>;

    /// It is over, however it went; the processes that have not ended are still there.
    fn leaving(&mut self, _: &Running, _: &LaunchOutcome) {}
}

/// Why a launch goes no further.
#[derive(Debug)]
pub enum Halt {
    /// What happened to it.
    Outcome(LaunchOutcome),
    /// What stops the whole run.
    Error(Box<RunError>),
}

impl Halt {
    /// How a launch went, and what stops the whole run.
    fn parts(result: Result<(), Self>) -> (LaunchOutcome, Option<RunError>) {
        match result {
            Ok(()) => (LaunchOutcome::Completed, None),
            Err(Self::Outcome(outcome)) => (outcome, None),
            Err(Self::Error(error)) => (LaunchOutcome::Running, Some(*error)),
        }
    }
}

impl From<LaunchOutcome> for Halt {
    fn from(outcome: LaunchOutcome) -> Self {
        Self::Outcome(outcome)
    }
}

impl From<RunError> for Halt {
    fn from(error: RunError) -> Self {
        Self::Error(Box::new(error))
    }
}

impl From<FolderError> for Halt {
    fn from(error: FolderError) -> Self {
        RunError::from(error).into()
    }
}

/// A launch that is over: whatever was started has ended.
#[derive(Debug)]
pub struct Lived {
    /// How it went; still [`LaunchOutcome::Running`] when an error stopped it.
    pub outcome: LaunchOutcome,
    /// What stops the whole run.
    pub error: Option<RunError>,
    /// How each process was ended that had been started, the first one first.
    pub ends: Vec<io::Result<End>>,
}

impl Lived {
    /// Nothing was started.
    fn not_at_all(halt: Halt) -> Self {
        let (outcome, error) = Halt::parts(Err(halt));
        Self {
            outcome,
            error,
            ends: Vec::new(),
        }
    }

    /// How it went, unless the run is over.
    pub fn outcome(self) -> Result<LaunchOutcome, RunError> {
        self.error.map_or(Ok(self.outcome), Err)
    }
}

/// What all launches are given.
#[derive(Clone, Copy)]
pub struct Terms<'a> {
    /// Where they are started.
    pub place: &'a dyn Place,
    /// Between SIGTERM and SIGKILL, of a launch that came to its end.
    pub grace: Duration,
    /// What the subject needs beside it.
    pub company: &'a Company,
    /// The user's wish to end.
    pub stop: &'a Stop,
}

/// Lives one launch from its start to its end.
pub fn live(
    terms: Terms<'_>,
    first: &StartSpec,
    further: &[StartSpec],
    hooks: &mut dyn Hooks,
) -> Lived {
    if terms.stop.is_set() {
        return Lived::not_at_all(LaunchOutcome::Interrupted.into());
    }
    // Launches that are measured have theirs by now. Those that train or look do not.
    let first = &with_port_of_first(first.clone());
    let mut lived = match terms.company.gather(terms, &first.log) {
        Ok(()) => in_company(terms, first, further, hooks),
        Err(halt) => Lived::not_at_all(halt),
    };
    terms.company.disperse();
    // Out of file descriptors: not the subject's fault, and the next launch would fail as well.
    let exhausted = || tacho_launch::descriptors::exhausted().map(RunError::from);
    lived.error = lived.error.or_else(exhausted);
    lived
}

/// The same when all companions are there.
fn in_company(
    terms: Terms<'_>,
    first: &StartSpec,
    further: &[StartSpec],
    hooks: &mut dyn Hooks,
) -> Lived {
    let process = match Process::start(terms.place, 1, first) {
        Ok(process) => process,
        Err(outcome) => return Lived::not_at_all(outcome.into()),
    };
    let mut running = Running::of(process);
    let result = through(terms, &mut running, further, hooks);
    let observed = running.stop_observing();
    let (outcome, error) = Halt::parts(result);
    // The subject may have failed because a companion was gone. Report that first cause.
    let lost = match outcome {
        LaunchOutcome::Completed | LaunchOutcome::Failed { .. } => {
            terms.company.ended("while the launch went on")
        }
        _ => None,
    };
    let outcome = lost.unwrap_or(outcome);
    hooks.leaving(&running, &outcome);
    let wanted = grace(terms.grace, &outcome);
    // Whoever interrupts does not want what is still being written, such as an archive.
    let ends = running.end(&|| match terms.stop.is_set() {
        true => wanted.min(GRACE_FOR_NOTHING),
        false => wanted,
    });
    Lived {
        outcome,
        error: error.or(observed.err()),
        ends,
    }
}

/// How long the processes have to end. What one writes at its end, such as an archive, is of use
/// only if all phases are done. Of an invalid launch a recording is still wanted.
fn grace(wanted: Duration, outcome: &LaunchOutcome) -> Duration {
    match outcome {
        LaunchOutcome::Completed
        | LaunchOutcome::Invalid { .. }
        | LaunchOutcome::Spoiled { .. } => wanted,
        LaunchOutcome::Running | LaunchOutcome::Failed { .. } | LaunchOutcome::Interrupted => {
            wanted.min(GRACE_FOR_NOTHING)
        }
    }
}

/// From the first process that runs to the last request.
fn through(
    terms: Terms<'_>,
    running: &mut Running,
    further: &[StartSpec],
    hooks: &mut dyn Hooks,
) -> Result<(), Halt> {
    for spec in further {
        running.join(terms.place, spec)?;
    }
    running.observe()?;
    hooks.running(running);
    let mut ready = running.until_ready(terms)?;
    if terms.stop.is_set() {
        return Err(LaunchOutcome::Interrupted.into());
    }
    hooks.load(&mut ready)
}

/// A failure in one sentence.
pub fn failed(cause: FailureCause, message: String) -> LaunchOutcome {
    LaunchOutcome::Failed {
        cause,
        message,
        last_log_lines: Vec::new(),
    }
}

/// Why a launch that was no measurement gave nothing: the sentence, and the end of its log. `None`
/// when all went well.
pub fn reason(outcome: &LaunchOutcome) -> Option<(String, &[String])> {
    match outcome {
        // The launch produced its result, so there is no reason to give.
        LaunchOutcome::Completed | LaunchOutcome::Spoiled { .. } => None,
        LaunchOutcome::Failed {
            message,
            last_log_lines,
            ..
        } => Some((message.clone(), last_log_lines)),
        LaunchOutcome::Invalid { reason } => Some((reason.clone(), &[])),
        LaunchOutcome::Interrupted => Some(("it was interrupted".to_owned(), &[])),
        LaunchOutcome::Running => Some(("it did not come to its end".to_owned(), &[])),
    }
}

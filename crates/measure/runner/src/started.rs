//! A subject that was started inside its control group, watched until it is ready, and ended.

use crate::limits::Groups;
use crate::stop::Stop;
use regex::Regex;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tacho_cgroup::Group;
use tacho_experiment::{ReadyCondition, ReadySpec};
use tacho_launch::failure::{self, Evidence};
use tacho_launch::ready::{Condition, NotReady, Ready, Watch, until_ready};
use tacho_launch::sockets::who_listens;
use tacho_launch::{Child, Exit, Lease, Spawn, log, processes, spawn};
use tacho_run_folder::{FailureCause, LaunchOutcome, Limits};

/// Lines of the subject's log that are kept with a failure.
const LAST_LINES: usize = 30;

/// What is to be started.
#[derive(Debug, Clone)]
pub struct StartSpec {
    /// Name of the control group, unique within the run.
    pub name: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// Working directory.
    pub directory: PathBuf,
    /// Beside the inherited environment.
    pub environment: BTreeMap<String, String>,
    /// Its limits.
    pub limits: Limits,
    /// Where its output goes.
    pub log: PathBuf,
    /// How readiness is found.
    pub readiness: Readiness,
}

/// How readiness is found.
#[derive(Debug, Clone, Default)]
pub struct Readiness {
    /// As the experiment says.
    pub spec: ReadySpec,
    /// Known port.
    pub port: Option<u16>,
    /// Paths that the framework is known for.
    pub preferred_paths: Vec<String>,
    /// Path of the first GET of the mix.
    pub request_path: Option<String>,
}

/// A running subject. Dropping it ends it and removes its group.
#[derive(Debug)]
pub struct Started {
    /// The process.
    pub child: Child,
    /// Its group, if there is one.
    pub group: Option<Arc<Group>>,
    limits: Limits,
}

/// Starts a subject; a failure is an outcome to be recorded, not an error of the run.
pub fn start(groups: &Groups, spec: &StartSpec) -> Result<Started, LaunchOutcome> {
    if let Some(port) = spec.readiness.port
        && let Ok(Some(owner)) = who_listens(port)
    {
        return Err(failure::port_taken(port, &owner));
    }
    // The lease first: a kill -9 between the two leaves nothing that the next command does not find.
    let lease = Lease::take(&groups.directories_of(&spec.name))
        .map_err(|error| failed(FailureCause::NotStarted, error.to_string()))?;
    let group = groups
        .create(&spec.name, &spec.limits)
        .map_err(|why| failed(FailureCause::LimitsNotApplied, why))?;
    let child = spawn(Spawn {
        command: spec.command.clone(),
        directory: spec.directory.clone(),
        environment: spec.environment.clone(),
        log: spec.log.clone(),
        join: group.as_ref().map_or_else(Vec::new, |g| g.join_files()),
        user: None,
        lease,
    })
    .map_err(|error| failure::not_started(&error))?;
    Ok(Started {
        child,
        group,
        limits: spec.limits.clone(),
    })
}

/// A failure in one sentence.
pub fn failed(cause: FailureCause, message: String) -> LaunchOutcome {
    LaunchOutcome::Failed {
        cause,
        message,
        last_log_lines: Vec::new(),
    }
}

impl Started {
    /// Watches until it is ready.
    pub fn until_ready(
        &mut self,
        readiness: &Readiness,
        stop: &Stop,
    ) -> Result<Ready, Box<NotReady>> {
        let members = self
            .group
            .clone()
            .map(|group| move || group.pids().unwrap_or_default());
        let processes = members.as_ref().map(|f| f as &dyn Fn() -> Vec<u32>);
        until_ready(
            &mut self.child,
            &Watch {
                port: readiness.port,
                condition: condition(readiness),
                preferred_paths: readiness.preferred_paths.clone(),
                timeout: readiness.spec.timeout,
                stop: stop.flag(),
                processes,
            },
        )
    }

    /// Its processes.
    pub fn pids(&self) -> Vec<u32> {
        self.group
            .as_ref()
            .and_then(|group| group.pids().ok())
            .unwrap_or_else(|| processes::tree(self.child.pid()))
    }

    /// What is known about its end, for the sentence that explains it.
    pub fn evidence(&self) -> Evidence {
        Evidence {
            oom_kills: self
                .group
                .as_ref()
                .and_then(|group| group.oom_kills().ok())
                .unwrap_or(0),
            memory_bytes: self.limits.memory_bytes,
            last_log_lines: self.last_log_lines(),
        }
    }

    /// The end of its log.
    pub fn last_log_lines(&self) -> Vec<String> {
        log::last_lines(self.child.log(), self.child.log_start(), LAST_LINES).unwrap_or_default()
    }

    /// Ends it in order: SIGTERM, the grace, SIGKILL to all that is left.
    pub fn end(&mut self, grace: Duration) -> std::io::Result<Exit> {
        let group = self.group.clone();
        self.child.terminate_with(grace, || {
            group
                .as_ref()
                .and_then(|group| group.pids().ok())
                .unwrap_or_default()
        })
    }
}

fn condition(readiness: &Readiness) -> Condition {
    match &readiness.spec.condition {
        ReadyCondition::Auto => Condition::Auto {
            request_path: readiness.request_path.clone(),
        },
        ReadyCondition::Http(path) => Condition::Http(path.clone()),
        ReadyCondition::Port => Condition::Port,
        // The pattern was compiled when the file was read; one that fails here never matches.
        ReadyCondition::Log(pattern) => Regex::new(pattern).map_or(Condition::Port, Condition::Log),
    }
}

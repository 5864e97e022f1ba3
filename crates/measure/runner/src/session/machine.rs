//! Real processes, inside control groups, and real requests.

use super::{
    End, Observation, Observer, Place, Readiness, Route, StartSpec, Subject, Traffic, Warmed,
    failed,
};
use crate::answers::{Answer, ask};
use crate::error::RunError;
use crate::limits::{self, Groups};
use crate::processors::{Counters, Share};
use crate::requests;
use crate::requests::Question;
use crate::stop::Stop;
use crate::warming::Warmer;
use regex::Regex;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tacho_cgroup::Group;
use tacho_experiment::{COMPANIONS, WarmUp};
use tacho_launch::failure::{self, Evidence};
use tacho_launch::ready::{NotReady, Ready, Watch, until_line, until_ready};
use tacho_launch::sockets::who_listens;
use tacho_launch::{Anchor, Child, Exit, Lease, Spawn, log, processes, spawn};
use tacho_load::{Control, Generator, LoadError, Recorder};
use tacho_observe::{Sampler, SamplerSpec};
use tacho_run_folder::{
    FailureCause, LaunchOutcome, Limits, LimitsSeen, PhasePlan, PhaseRecord, ResourcePoint,
    ResourceSummary, TimeLine, WarmUpRecord,
};

/// Lines of the subject's log that are kept with a failure.
const LAST_LINES: usize = 30;

/// Where companions are for a process of this machine.
const LOCALHOST: &str = "localhost";

/// Requests of a launch that are kept one by one where each is asked for its connection: an hour of
/// 1,000 a second.
const SINGLES: usize = 4_000_000;

/// A running process. Dropping it ends it and removes its group.
#[derive(Debug)]
struct Started {
    child: Child,
    group: Option<Arc<Group>>,
    limits: Limits,
}

impl Started {
    fn members(&self) -> Option<Vec<u32>> {
        self.group.as_ref()?.pids().ok()
    }
}

impl Place for Groups {
    fn start(&self, spec: &StartSpec) -> Result<Box<dyn Subject>, LaunchOutcome> {
        if let Some(port) = spec.readiness.port
            && let Ok(Some(owner)) = who_listens(port)
        {
            return Err(failure::port_taken(port, &owner));
        }
        // Take the lease first: then, after a kill -9 between the two steps, the next command still
        // finds everything.
        let lease = Lease::take(&self.directories_of(&spec.name))
            .map_err(|error| failed(FailureCause::NotStarted, error.to_string()))?;
        let group = self
            .create(&spec.name, &spec.limits)
            .map_err(|why| failed(FailureCause::LimitsNotApplied, why))?;
        let here = |text: &String| text.replace(COMPANIONS, LOCALHOST);
        let environment = spec.environment.iter();
        let child = spawn(Spawn {
            command: spec.command.iter().map(here).collect(),
            directory: spec.directory.clone(),
            environment: environment
                .map(|(name, value)| (name.clone(), here(value)))
                .collect(),
            log: spec.log.clone(),
            join: group.as_ref().map_or_else(Vec::new, |g| g.join_files()),
            user: None,
            lease,
        })
        .map_err(|error| failure::not_started(&error))?;
        Ok(Box::new(Started {
            child,
            group,
            limits: spec.limits.clone(),
        }))
    }

    fn traffic(&self, route: &Route<'_>) -> Result<Box<dyn Traffic>, RunError> {
        let load = route.load;
        let (endpoint, source) = requests::source(load.requests, route.address, load.options.seed)?;
        let endpoint = endpoint.beside(route.beside.iter().copied());
        let recorder =
            Recorder::create(load.folder, route.exec).map_err(|e| RunError::Load(e.into()))?;
        let recorder = match load.options.names_connections {
            true => recorder.keeping_singles(SINGLES),
            false => recorder,
        };
        let generator = Generator::new(endpoint, source, load.options).map_err(RunError::Load)?;
        Ok(Box::new(Engine {
            generator,
            recorder,
        }))
    }

    fn warm(
        &self,
        warmer: &Warmer<'_>,
        warm_up: &WarmUp,
        to: &Warmed<'_>,
    ) -> Result<WarmUpRecord, RunError> {
        warmer.warm(warm_up, to.address, to.folder, to.exec)
    }

    fn ask(
        &self,
        question: &Question,
        address: SocketAddr,
        patience: Duration,
    ) -> Result<Answer, RunError> {
        Ok(ask(question, address, patience)?)
    }

    fn counters(
        &self,
        subject_cpu_s: Option<f64>,
        companions_cpu_s: f64,
        share: Share<'_>,
    ) -> Counters {
        Counters::now(subject_cpu_s, companions_cpu_s, share)
    }
}

impl Subject for Started {
    fn until_ready(&mut self, readiness: &Readiness, stop: &Stop) -> Result<Ready, Box<NotReady>> {
        let members = self
            .group
            .clone()
            .map(|group| move || group.pids().unwrap_or_default());
        let processes = members.as_ref().map(|f| f as &dyn Fn() -> Vec<u32>);
        until_ready(
            &mut self.child,
            &Watch {
                port: readiness.port,
                condition: readiness.condition.clone(),
                preferred_paths: readiness.preferred_paths.clone(),
                timeout: readiness.timeout,
                stop: stop.flag(),
                processes,
            },
        )
    }

    fn until_line(
        &mut self,
        pattern: &Regex,
        timeout: Duration,
        stop: &Stop,
    ) -> Result<TimeLine, Box<NotReady>> {
        until_line(&mut self.child, pattern, timeout, stop.flag())
    }

    fn exit_within(&mut self, at_most: Duration) -> Option<Exit> {
        self.child.wait_timeout(at_most).ok().flatten()
    }

    fn is_stopped(&self) -> bool {
        self.child.is_stopped()
    }

    fn evidence(&self) -> Evidence {
        let group = self.group.as_ref();
        Evidence {
            oom_kills: group
                .and_then(|group| group.oom_kills().ok())
                .unwrap_or_default(),
            memory_bytes: self.limits.memory_bytes,
            last_log_lines: log::last_lines(self.child.log(), self.child.log_start(), LAST_LINES)
                .unwrap_or_default(),
            told: None,
        }
    }

    fn anchor(&self) -> Anchor {
        self.child.anchor()
    }

    fn pids(&self) -> Vec<u32> {
        self.members()
            .unwrap_or_else(|| processes::tree(self.child.pid()))
    }

    fn observe(&self, what: &Observation) -> Result<Box<dyn Observer>, RunError> {
        Ok(Box::new(Sampler::start(SamplerSpec {
            pid: self.child.pid(),
            group: self.group.clone(),
            exec_ns: self.child.exec_ns(),
            path: what.samples.clone(),
            memory_path: what.memory.clone(),
            jvm_path: what.jvm.clone(),
            gc_log: what.gc_log.clone(),
            requests: what.requests.clone(),
        })?))
    }

    fn cpu_s(&self) -> Option<f64> {
        Some(self.group.as_ref()?.cpu().ok()?.usage_s)
    }

    fn limits_seen(&self, asked: &Limits) -> Option<LimitsSeen> {
        limits::seen(self.group.as_deref(), asked, self.child.pid())
    }

    fn count_limits(&self, seen: &mut LimitsSeen) {
        if let Some(group) = &self.group {
            limits::update(seen, group);
        }
    }

    fn set_cpu(&self, cpu: Option<f64>) -> Result<(), RunError> {
        match &self.group {
            Some(group) => Ok(group.set_cpu(cpu)?),
            None => Ok(()),
        }
    }

    fn end(&mut self, grace: Duration) -> io::Result<End> {
        self.end_within(&|| grace)
    }

    fn end_within(&mut self, grace: &dyn Fn() -> Duration) -> io::Result<End> {
        let group = self.group.clone();
        let members = || group.as_ref()?.pids().ok();
        let exit = self
            .child
            .terminate_within(grace, || members().unwrap_or_default())?;
        Ok(End {
            exit,
            left_out_of_log: self.child.left_out_of_log(),
        })
    }
}

impl Observer for Sampler {
    fn point(&self) -> Option<ResourcePoint> {
        Self::point(self)
    }

    fn glance(&self) -> Option<ResourcePoint> {
        Self::glance(self)
    }

    fn stop(self: Box<Self>) -> Result<ResourceSummary, RunError> {
        Ok(Self::stop(*self)?)
    }
}

/// The load engine with its files.
struct Engine {
    generator: Generator,
    recorder: Recorder,
}

impl Traffic for Engine {
    fn run(
        &mut self,
        index: u32,
        phase: &PhasePlan,
        control: &Control,
    ) -> Result<PhaseRecord, LoadError> {
        let recorded = self
            .generator
            .run(index, phase, &mut self.recorder, control)?;
        Ok(PhaseRecord {
            trouble: self.generator.trouble(),
            ..recorded
        })
    }
}

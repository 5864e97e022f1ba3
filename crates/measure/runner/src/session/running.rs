//! The processes of a launch and the states that they go through together.

use super::{End, Halt, Load, Loading, Observer, Place, Route, StartSpec, Subject, Terms};
use crate::error::RunError;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;
use tacho_launch::{failure, threads};
use tacho_run_folder::{LaunchOutcome, ResourcePoint, ResourceSummary, TimeLine};

/// One process with what is known of it.
pub struct Process {
    /// Its place among the processes of the launch, counted from 1.
    pub number: u32,
    /// The process itself.
    pub subject: Box<dyn Subject>,
    /// How it became ready, as far as it came.
    pub time_line: TimeLine,
    /// While it runs.
    pub observer: Option<Box<dyn Observer>>,
    /// When it was over.
    pub at_end: Option<ResourcePoint>,
    /// From its start to its end.
    pub resources: ResourceSummary,
    spec: StartSpec,
}

impl Process {
    /// Starts the process; what kept it from starting is the launch's outcome.
    pub(super) fn start(
        place: &dyn Place,
        number: u32,
        spec: &StartSpec,
    ) -> Result<Self, LaunchOutcome> {
        Ok(Self {
            number,
            subject: place.start(spec).map_err(|failed| of(number, failed))?,
            time_line: TimeLine::default(),
            observer: None,
            at_end: None,
            resources: ResourceSummary::default(),
            spec: spec.clone(),
        })
    }

    fn until_ready(&mut self, terms: Terms<'_>) -> Result<SocketAddr, LaunchOutcome> {
        match self.subject.until_ready(&self.spec.readiness, terms.stop) {
            Ok(ready) => {
                self.time_line = ready.time_line;
                Ok(ready.address)
            }
            Err(not_ready) => {
                let outcome = failure::not_ready(&not_ready, self.subject.evidence());
                self.time_line = not_ready.time_line;
                Err(of(self.number, outcome))
            }
        }
    }

    /// How it ended, if it did.
    fn ended(&mut self, during: &str) -> Option<LaunchOutcome> {
        let exit = self.subject.exit_within(Duration::ZERO)?;
        let outcome = failure::ended(exit, during, self.subject.evidence());
        Some(of(self.number, outcome))
    }

    /// What it holds now; nothing is measured.
    pub fn point(&self) -> Option<ResourcePoint> {
        self.observer.as_ref()?.point()
    }

    /// What it holds now; requests are on their way.
    pub fn glance(&self) -> Option<ResourcePoint> {
        self.observer.as_ref()?.glance()
    }

    /// Processor time so far.
    pub fn cpu_s(&self) -> Option<f64> {
        self.subject.cpu_s().or_else(|| Some(self.glance()?.cpu_s))
    }
}

/// Of several processes, which.
fn of(number: u32, outcome: LaunchOutcome) -> LaunchOutcome {
    match outcome {
        LaunchOutcome::Failed {
            cause,
            message,
            last_log_lines,
        } if number > 1 => LaunchOutcome::Failed {
            cause,
            message: format!("process {number} of the launch: {message}"),
            last_log_lines,
        },
        other => other,
    }
}

/// Processes that were started. They can be looked at, and nothing can be sent to them.
pub struct Running {
    /// The one that is looked at closely.
    pub first: Process,
    /// As a deployment has replicas.
    pub further: Vec<Process>,
}

impl Running {
    pub(super) fn of(first: Process) -> Self {
        Self {
            first,
            further: Vec::new(),
        }
    }

    /// Starts another one beside those that run.
    pub(super) fn join(
        &mut self,
        place: &dyn Place,
        spec: &StartSpec,
    ) -> Result<(), LaunchOutcome> {
        let number = 2 + u32::try_from(self.further.len()).unwrap_or_default();
        self.further.push(Process::start(place, number, spec)?);
        Ok(())
    }

    /// All, the first one first.
    pub fn all(&self) -> impl Iterator<Item = &Process> {
        std::iter::once(&self.first).chain(&self.further)
    }

    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut Process> {
        std::iter::once(&mut self.first).chain(&mut self.further)
    }

    pub(super) fn observe(&mut self) -> Result<(), RunError> {
        for process in self.all_mut() {
            if let Some(what) = &process.spec.observation {
                process.observer = Some(process.subject.observe(what)?);
            }
        }
        Ok(())
    }

    /// Of all of them; the first error of several.
    pub(super) fn stop_observing(&mut self) -> Result<(), RunError> {
        let mut result = Ok(());
        for process in self.all_mut() {
            process.at_end = process.point();
            match process.observer.take().map(Observer::stop) {
                Some(Ok(summary)) => process.resources = summary,
                Some(Err(error)) => result = result.and(Err(error)),
                None => {}
            }
        }
        result
    }

    /// Watches all side by side. When several fail, the first of them counts.
    pub(super) fn until_ready<'r>(&'r mut self, terms: Terms<'r>) -> Result<Ready<'r>, Halt> {
        let (address, beside) = std::thread::scope(|scope| {
            let watches: Vec<_> = self
                .further
                .iter_mut()
                .map(|process| threads::spawn_in(scope, move || process.until_ready(terms)))
                .collect();
            let first = self.first.until_ready(terms);
            let beside: Result<Vec<_>, _> = watches
                .into_iter()
                .map(|watch| threads::join(watch?))
                .collect();
            (first, beside)
        });
        let beside: Result<Vec<_>, _> = beside.map_err(RunError::from)?.into_iter().collect();
        Ok(Ready {
            address: address?,
            beside: beside?,
            running: self,
            terms,
        })
    }

    /// The first of them that has ended.
    pub(super) fn ended(&mut self, during: &str) -> Option<LaunchOutcome> {
        self.all_mut().find_map(|process| process.ended(during))
    }

    /// Processor time of all of them together; unknown when it is not known of the first.
    pub(super) fn cpu_s(&self) -> Option<f64> {
        let further = self.further.iter().filter_map(Process::cpu_s).sum::<f64>();
        Some(self.first.cpu_s()? + further)
    }

    /// Each has the grace for itself, which is asked for again while it is waited for.
    pub(super) fn end(&mut self, grace: &dyn Fn() -> Duration) -> Vec<io::Result<End>> {
        self.all_mut()
            .map(|process| process.subject.end_within(grace))
            .collect()
    }
}

/// Processes that all are ready: requests can be sent.
pub struct Ready<'r> {
    /// Of the first process.
    pub address: SocketAddr,
    /// Of the others.
    pub beside: Vec<SocketAddr>,
    /// All of them.
    pub running: &'r mut Running,
    pub(super) terms: Terms<'r>,
}

impl<'r> Ready<'r> {
    /// Where they were started.
    pub fn place(&self) -> &'r dyn Place {
        self.terms.place
    }

    /// The user has not had enough yet.
    pub fn go_on(&self) -> Result<(), Halt> {
        match self.terms.stop.is_set() {
            true => Err(LaunchOutcome::Interrupted.into()),
            false => Ok(()),
        }
    }

    /// Makes ready to send; nothing is sent yet.
    pub fn loading<'l>(&self, load: Load<'l>) -> Result<Loading<'l>, RunError> {
        let traffic = self.terms.place.traffic(&Route {
            load: &load,
            address: self.address,
            beside: &self.beside,
            exec: self.running.first.exec(),
        })?;
        Ok(Loading::new(traffic, load))
    }
}

impl Process {
    /// What its instants count from.
    pub fn exec(&self) -> tacho_launch::Anchor {
        self.subject.anchor()
    }
}

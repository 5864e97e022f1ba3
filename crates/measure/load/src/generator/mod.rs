//! One thread, one loop: takes up what is due, sends it, records what became of it.

mod checked;
mod closed;
mod core;
mod early;
mod lateness;
mod open;
mod opening;
mod pass;
mod precedence;
mod rest;
mod searching;
pub mod source;
mod tally;
mod think;
mod thinking;
mod turns;
mod unfollowed;
mod whole;

use crate::control::Control;
use crate::gate::{Gate, Span};
use crate::part::Part;
use crate::recorder::{PhaseTotals, Recorder, RecorderError};
use crate::request::Endpoint;
use crate::schedule::{self, ConstantRate, Joining, Schedule, ScheduleError};
use crate::search::SearchError;
use crate::transport::descriptors::{self, RaisedLimit, TooFewDescriptors};
use crate::transport::{Limits, Transport, TransportError, transport_to};
pub use checked::check;
use closed::{Closed, Until};
use core::Core;
use open::Open;
use pass::run_passes;
use searching::search;
pub use searching::{Searched, Tried};
use source::Source;
use std::io;
use std::num::NonZeroU32;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tacho_clock::{MILLISECOND, monotonic_ns, thread_cpu_ns, to_ms, to_seconds};
use tacho_run_folder::{PhaseKind, PhasePlan, PhaseRecord, ThinkSpec, TimeKeeping};
use tacho_workload::Think;
use tally::Tally;
use think::ThinkTimes;
use turns::{InTurn, Turn};
use unfollowed::Unfollowed;
pub use whole::{Engine, Loaded, LoadedPhase, Step, run_all};

/// The stop flag is looked at, and time limits are enforced, at least this often.
const HOUSEKEEPING_NS: u64 = 50 * MILLISECOND;

/// How patient the generator is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// For a connection to be established.
    pub connect_timeout: Duration,
    /// From sent to end. Also how long after the end of an open phase its requests are waited
    /// for.
    pub request_timeout: Duration,
    /// Requests that are due within this time are sent together at its end. The generator wakes
    /// less often, and requests come in bursts. The added wait shows as dispatch delay and is part
    /// of the response time. Zero: each request is sent at its own instant.
    pub batch: Duration,
    /// HTTP/2: this many requests share a connection at a time, or as many as the subject allows if
    /// that is less.
    pub streams_per_connection: NonZeroU32,
    /// Seed of the random choices of the generator itself: how long users think.
    pub seed: u64,
    /// The generator's only processor is the subject's, too: it spins on none.
    pub shares_one_processor: bool,
    /// Requests that are recorded one by one also name their connection and when it was
    /// established. HTTP/1.1 only; it costs one system call a connection.
    pub names_connections: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(5),
            request_timeout: Duration::from_secs(30),
            batch: Duration::ZERO,
            // As many as servers allow by default: nginx and Netty 128 and 100, Tomcat and Go 100
            // and 250.
            streams_per_connection: const { NonZeroU32::new(100).unwrap() },
            seed: 0,
            shares_one_processor: false,
            names_connections: false,
        }
    }
}

/// A phase that could not be carried out or recorded. What the subject does wrong is no error
/// here: it is counted.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The phase asks for what cannot be.
    #[error("phase `{phase}`: {source}")]
    Schedule {
        /// Label of the phase.
        phase: String,
        /// What no schedule can do.
        source: ScheduleError,
    },
    /// The source of the requests failed.
    #[error("the requests: {0}")]
    Source(String),
    /// The search asks for what cannot be.
    #[error("phase `{phase}`: {source}")]
    Search {
        /// Label of the phase.
        phase: String,
        /// What no search can do.
        source: SearchError,
    },
    /// The gate gave no instant at which to start the clock.
    #[error("the load could not begin: {0}")]
    NotBegun(String),
    /// One of several generators could not go on.
    #[error("worker {worker}: {message}")]
    Worker {
        /// Its number, from 1.
        worker: u32,
        /// What it says.
        message: String,
    },
    /// The records of several generators could not be put together.
    #[error("the records of the workers cannot be put together: {0}")]
    Apart(String),
    /// More connections than files that may be open.
    #[error(transparent)]
    Descriptors(#[from] TooFewDescriptors),
    /// The records could not be written.
    #[error(transparent)]
    Recorder(#[from] RecorderError),
    /// No transport to the endpoint.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The kernel does not wait for sockets.
    #[error(
        "cannot wait for sockets: {0}; close other programs that hold many files and run again"
    )]
    Poll(#[from] io::Error),
}

impl LoadError {
    /// Makes the error for a phase whose schedule is impossible.
    fn impossible(plan: &PhasePlan) -> impl Fn(ScheduleError) -> Self {
        |source| Self::Schedule {
            phase: plan.label.clone(),
            source,
        }
    }
}

/// Sends the requests of a launch, phase after phase. Connections stay open from one phase to the
/// next.
#[derive(Debug)]
pub struct Generator {
    source: Box<dyn Source>,
    options: Options,
    transport: Box<dyn Transport>,
    /// Put back when the generator is dropped.
    raised: Option<RaisedLimit>,
    part: Part,
    gate: Option<Box<dyn Gate>>,
    span: Option<Span>,
    unfollowed: Unfollowed,
    #[cfg(test)]
    pub(crate) block: Option<pass::Block>,
}

impl Generator {
    /// Opens no connection yet. A name is resolved here, which may take as long as a connection
    /// may.
    ///
    /// # Errors
    /// When the kernel gives no epoll instance, or the TLS options are of no use.
    pub fn new(
        endpoint: Endpoint,
        source: Box<dyn Source>,
        options: Options,
    ) -> Result<Self, LoadError> {
        let limits = Limits {
            connect_ns: options.connect_timeout.as_nanos() as u64,
            request_ns: options.request_timeout.as_nanos() as u64,
        };
        let mut transport = transport_to(&endpoint, limits, options.streams_per_connection)?;
        if options.names_connections {
            transport.name_connections();
        }
        Ok(Self {
            source,
            options,
            transport,
            raised: None,
            part: Part::WHOLE,
            gate: None,
            span: None,
            unfollowed: Unfollowed::default(),
            #[cfg(test)]
            block: None,
        })
    }

    /// Carries out this part of the phases that follow; others carry out the rest.
    pub fn set_part(&mut self, part: Part) {
        self.part = part;
        self.source.set_part(part);
    }

    /// From now on the clock of a phase is started by this gate.
    pub fn wait_at(&mut self, gate: Box<dyn Gate>) {
        self.gate = Some(gate);
    }

    /// When the last phase was carried out that sent anything.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.span
    }

    /// Names of the kinds of request, those that have come on the way included.
    #[must_use]
    pub fn kinds(&self) -> &[String] {
        self.source.kinds()
    }

    /// What went wrong with the source of the requests so far, for people: rows of a feed that were
    /// passed over, or came too late; what came that nobody had asked for; and redirects instead of
    /// answers, unless a status is expected.
    #[must_use]
    pub fn trouble(&self) -> Vec<String> {
        let mut trouble = self.source.trouble();
        trouble.extend(self.transport.trouble());
        if !self.source.expects_status() {
            trouble.extend(self.unfollowed.told());
        }
        trouble
    }

    /// Of the users of a phase.
    fn think_times(&self, think: Think, phase: u32) -> ThinkTimes {
        let seed = self.options.seed.wrapping_add(self.part.nth().into());
        ThinkTimes::new(think, seed, phase)
    }

    /// Its share of so many connections.
    fn own(&self, connections: u32) -> u32 {
        u32::try_from(self.part.count(connections.into())).unwrap_or(connections)
    }

    /// Carries out one phase. `index` is its place in the plan.
    ///
    /// `subject_cpu_s` and `steal_s` of the record are left at 0: they are not the generator's to
    /// know. Whatever the subject does is counted and never an error.
    ///
    /// # Errors
    /// When the plan asks for what cannot be, for more connections than files that may be open,
    /// or when the records could not be written.
    pub fn run(
        &mut self,
        index: u32,
        plan: &PhasePlan,
        recorder: &mut Recorder,
        control: &Control,
    ) -> Result<PhaseRecord, LoadError> {
        let impossible = LoadError::impossible(plan);
        let part = self.part;
        control.unanswered.store(false, Ordering::Relaxed);
        match plan.kind {
            PhaseKind::Rest { duration_s } => self.rest(plan, duration_s, recorder, control),
            PhaseKind::Cold { requests } => {
                let until = until(Some(part.count(requests)), None).map_err(&impossible)?;
                let joining = Joining::new(1, 0.0).map_err(&impossible)?;
                self.load(
                    index,
                    plan,
                    1,
                    |start| Closed::new(joining, start, until, 1, None, part),
                    recorder,
                    control,
                )
            }
            PhaseKind::Closed {
                requests,
                duration_s,
                connections,
                ramp_s,
                think,
            } => {
                let requests = requests.map(|requests| part.count(requests));
                let until = until(requests, duration_s).map_err(&impossible)?;
                let connections = self.own(connections);
                let joining = Joining::new(connections, ramp_s).map_err(&impossible)?;
                let think = think.map(think_of).transpose().map_err(&impossible)?;
                let times = think.map(|think| self.think_times(think, index));
                self.load(
                    index,
                    plan,
                    connections,
                    |start| Closed::new(joining, start, until, connections, times, part),
                    recorder,
                    control,
                )
            }
            PhaseKind::Settle {
                within_s,
                connections,
            } => {
                let until = Until {
                    is_told: true,
                    ..until(None, Some(within_s)).map_err(&impossible)?
                };
                let connections = self.own(connections);
                let joining = Joining::new(connections, 0.0).map_err(&impossible)?;
                control.enough.store(false, Ordering::Relaxed);
                let record = self.load(
                    index,
                    plan,
                    connections,
                    |start| Closed::new(joining, start, until, connections, None, part),
                    recorder,
                    control,
                )?;
                Ok(PhaseRecord {
                    settled: Some(control.enough.load(Ordering::Relaxed)),
                    ..record
                })
            }
            PhaseKind::Search(ref spec) => self.search_phase(index, plan, spec, recorder, control),
            PhaseKind::Open {
                rate,
                duration_s,
                connections,
            } => {
                let schedule = ConstantRate::new(rate, duration_s).map_err(&impossible)?;
                let record = self.open(index, plan, schedule, connections, recorder, control)?;
                Ok(PhaseRecord {
                    intended_rate: Some(rate / f64::from(part.of())),
                    ..record
                })
            }
            PhaseKind::Scheduled {
                ref schedule,
                connections,
            } => {
                let schedule = schedule::build(schedule).map_err(&impossible)?;
                let duration_s = to_seconds(schedule.duration());
                let record = self.open(index, plan, schedule, connections, recorder, control)?;
                // A single request has no rate.
                let intended_rate =
                    (record.requests > 1).then(|| record.requests as f64 / duration_s);
                Ok(PhaseRecord {
                    intended_rate,
                    ..record
                })
            }
        }
    }

    fn open(
        &mut self,
        index: u32,
        plan: &PhasePlan,
        schedule: impl Schedule,
        connections: u32,
        recorder: &mut Recorder,
        control: &Control,
    ) -> Result<PhaseRecord, LoadError> {
        let impossible = LoadError::impossible(plan);
        let (part, connections) = (self.part, self.own(connections));
        if connections == 0 {
            return Err(impossible(ScheduleError::NoConnections));
        }
        let instances = NonZeroU32::new(self.transport.instances()).unwrap_or(NonZeroU32::MIN);
        if connections < instances.get() {
            return Err(impossible(ScheduleError::TooFewConnections {
                connections,
                instances: instances.get(),
            }));
        }
        let drain = self.options.request_timeout.as_nanos() as u64;
        let batch = self.options.batch.as_nanos() as u64;
        if instances == NonZeroU32::MIN {
            let turn = Turn::only(part);
            let pace = |start| Open::new(schedule, start, turn, connections, drain, batch);
            return self.load(index, plan, connections, pace, recorder, control);
        }
        let schedule = &schedule;
        let pace = |start| {
            InTurn::new(instances, part, |turn| {
                Open::new(schedule, start, turn, connections, drain, batch)
            })
        };
        self.load(index, plan, connections, pace, recorder, control)
    }

    /// Opens the connections, starts the clock, and sends at the given pace until all is done.
    fn load<P: pass::Pace>(
        &mut self,
        index: u32,
        plan: &PhasePlan,
        connections: u32,
        pace: impl FnOnce(u64) -> P,
        recorder: &mut Recorder,
        control: &Control,
    ) -> Result<PhaseRecord, LoadError> {
        if let Some(raised) = descriptors::allow(self.transport.connections_for(connections))? {
            // Only the first raise knows the limit as it was before.
            self.raised.get_or_insert(raised);
        }
        self.transport.set_lanes(connections);
        self.source.start_phase(index).map_err(LoadError::Source)?;
        let has_schedule = plan.kind.tag().has_schedule();
        recorder.begin_phase(index, &plan.label, self.source.kinds().len(), has_schedule)?;
        opening::open_all(self.transport.as_mut(), control)?;
        let told = match &mut self.gate {
            Some(gate) => Some(gate.pass().map_err(LoadError::NotBegun)?),
            None => None,
        };
        if let Some(start) = told {
            opening::until(self.transport.as_mut(), control, start)?;
        }

        let opened_before = self.transport.established();
        let mut core = Core::new(
            self.transport.as_mut(),
            recorder,
            control,
            self.source.as_mut(),
            index,
        );
        core.shares_one_processor = self.options.shares_one_processor;
        let cpu_before = thread_cpu_ns();
        let began = monotonic_ns();
        // A phase that was stopped at the gate starts its clock now, and ends at once.
        let start = told.map_or(began, |told| told.min(began));
        core.recorder.start_clock(start);
        let mut pace = pace(start);
        let passes = run_passes(
            &mut core,
            &mut pace,
            start,
            #[cfg(test)]
            self.block,
        );
        let cpu_ns = thread_cpu_ns() - cpu_before;
        let tally = core.into_tally();
        self.unfollowed.add(&tally);
        self.span = Some(Span {
            began,
            first_intended: tally.first_intended(),
            last_end: tally.last_end(),
        });
        let totals = recorder.end_phase(monotonic_ns())?;
        let passed = passes?;
        let cpu_ns = cpu_ns + totals.writer_cpu_ns;
        let reconnects = self.transport.established() - opened_before;
        let started_ns = start.saturating_sub(recorder.anchor().monotonic_ns);
        Ok(PhaseRecord {
            reconnects,
            generator_cpu_s: to_seconds(cpu_ns),
            time_keeping: Some(TimeKeeping {
                ends: passed.ends,
                early_wake: passed.early_wake,
                spun_s: to_seconds(passed.spun_ns),
                batch_ms: to_ms(self.options.batch.as_nanos() as u64),
            }),
            interrupted: passed.is_interrupted,
            unanswered: control.is_unanswered(),
            ..describe(plan, started_ns, tally, totals)
        })
    }
}

/// The end of a closed loop, when it has one.
fn until(requests: Option<u64>, duration_s: Option<f64>) -> Result<Until, ScheduleError> {
    if requests.is_none() && duration_s.is_none() {
        return Err(ScheduleError::NoEnd);
    }
    Ok(Until {
        iterations: requests.unwrap_or(u64::MAX),
        duration_ns: match duration_s {
            Some(duration_s) => schedule::length_ns(duration_s)?,
            None => u64::MAX,
        },
        is_told: false,
    })
}

fn think_of(spec: ThinkSpec) -> Result<Think, ScheduleError> {
    let time = |ms: f64| {
        Duration::try_from_secs_f64(ms / 1e3).map_err(|_| ScheduleError::Duration(ms / 1e3))
    };
    Ok(match spec {
        ThinkSpec::Constant { ms } => Think::Constant(time(ms)?),
        ThinkSpec::Uniform { from_ms, to_ms } => Think::Uniform(time(from_ms)?, time(to_ms)?),
        ThinkSpec::Exponential { mean_ms } => Think::Exponential(time(mean_ms)?),
    })
}

/// The record of a phase, as far as its requests tell it.
fn describe(plan: &PhasePlan, started_ns: u64, tally: Tally, totals: PhaseTotals) -> PhaseRecord {
    let duration_s = to_seconds(tally.duration_ns());
    PhaseRecord {
        label: plan.label.clone(),
        kind: plan.kind.tag(),
        started_ms: to_ms(started_ns),
        duration_s,
        requests: tally.intended,
        succeeded: tally.succeeded,
        throughput: if duration_s > 0.0 {
            tally.answered as f64 / duration_s
        } else {
            0.0
        },
        by_status: tally.by_status(),
        errors: tally.into_errors(),
        intended_rate: None,
        response_time_ms: totals.response_time_ms,
        service_time_ms: totals.service_time_ms,
        dispatch_delay_ms: totals.dispatch_delay_ms,
        generator_lag_ms: totals.generator_lag_ms,
        on_time_response_ms: totals.on_time_response_ms,
        settled: None,
        unanswered: false,
        reconnects: 0,
        generator_cpu_s: 0.0,
        time_keeping: None,
        subject_cpu_s: 0.0,
        steal_s: 0.0,
        processors: None,
        interrupted: false,
        trouble: Vec::new(),
        search: None,
        workers: Vec::new(),
    }
}

#[cfg(test)]
mod tests;

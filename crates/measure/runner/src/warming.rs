//! Warming one process before it takes traffic, over connections of its own.

use crate::error::RunError;
use crate::requests;
use crate::stop::Stop;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tacho_experiment::{Recipe, WarmUp};
use tacho_load::{
    Anchor, Control, Endpoint, Generator, LoadError, Options, Recorder, Seen, Source, Watched,
};
use tacho_run_folder::{
    ErrorKind, LaunchDir, PhaseKind, PhasePlan, PhaseRecord, ScheduleSpec, WarmUpEnd, WarmUpRecord,
};
use tacho_warm_up::{Answer, End, Rule, Warming};
use tacho_workload::Scenario;

/// Marks what is sent, so that the service can keep it out of its data and metrics; as `tacho warm`
/// does.
const MARK: (&str, &str) = ("X-Warm-Up", "true");
/// Failures one after another after which warming goes on no more.
const FAILURES: u64 = 20;

/// What all warm-ups of a run have in common.
#[derive(Clone, Copy)]
pub struct Warmer<'a> {
    pub requests: &'a [Scenario],
    pub options: Options,
    pub stop: &'a Stop,
}

impl Warmer<'_> {
    /// Warms the process at an address; its requests are recorded in the folder. `exec` is what
    /// instants count from.
    pub fn warm(
        &self,
        warm_up: &WarmUp,
        address: SocketAddr,
        folder: &LaunchDir,
        exec: Anchor,
    ) -> Result<WarmUpRecord, RunError> {
        let began = Instant::now();
        let mut record = match &warm_up.recipe {
            Recipe::None => ended(WarmUpEnd::NothingToDo),
            recipe => {
                let recorder = Recorder::create(&folder.create_warm_up()?, exec)
                    .map_err(|e| RunError::Load(e.into()))?;
                self.send(recipe, warm_up.connections, address, recorder)?
            }
        };
        if self.stop.is_set() {
            record.end = WarmUpEnd::Watched(End::Interrupted).into();
        }
        record.duration_s = began.elapsed().as_secs_f64();
        Ok(record)
    }

    fn send(
        &self,
        recipe: &Recipe,
        connections: u32,
        address: SocketAddr,
        mut recorder: Recorder,
    ) -> Result<WarmUpRecord, RunError> {
        let marked = self.marked();
        let all_sent = |phases: &[PhaseRecord]| WarmUpRecord {
            requests: phases.iter().map(|phase| phase.requests).sum(),
            failed: phases.iter().map(|p| p.requests - p.succeeded).sum(),
            ..ended(end_of(phases))
        };
        let closed = |requests| PhaseKind::closed(requests, connections);
        Ok(match recipe {
            Recipe::None => ended(WarmUpEnd::NothingToDo),
            Recipe::Requests { requests } => {
                let phase = self.phase(&marked, closed(*requests), address, 0, &mut recorder)?;
                all_sent(&[phase])
            }
            Recipe::Each { requests } => {
                let mut phases = Vec::new();
                for (index, request) in (0..).zip(&marked) {
                    let one = std::slice::from_ref(request);
                    phases.push(self.phase(
                        one,
                        closed(*requests),
                        address,
                        index,
                        &mut recorder,
                    )?);
                }
                all_sent(&phases)
            }
            Recipe::Bursts {
                requests,
                size,
                rest_s,
            } => {
                let kind = in_bursts(*requests, *size, *rest_s, connections);
                all_sent(&[self.phase(&marked, kind, address, 0, &mut recorder)?])
            }
            Recipe::Settled {
                at_least,
                at_most,
                within_s,
            } => {
                let (endpoint, source) = requests::source(&marked, address, self.options.seed)?;
                let rule = Rule {
                    at_least: at_least.unwrap_or(0),
                    at_most: *at_most,
                    failures_in_a_row: FAILURES,
                    // A process that ends fails its launch.
                    until_refused: false,
                };
                let settling = Settling::of(source.as_ref(), rule);
                let sent = settle(
                    endpoint,
                    source,
                    &settling,
                    Duration::from_secs_f64(*within_s),
                    connections,
                    self.options,
                    &mut recorder,
                    self.stop,
                )
                .map_err(RunError::Load)?;
                let warming = settling.now();
                WarmUpRecord {
                    requests: warming.answered() + warming.failed(),
                    failed: warming.failed(),
                    ..ended(WarmUpEnd::Watched(sent.end))
                }
            }
        })
    }

    fn phase(
        &self,
        requests: &[Scenario],
        kind: PhaseKind,
        address: SocketAddr,
        index: u32,
        recorder: &mut Recorder,
    ) -> Result<PhaseRecord, RunError> {
        let (endpoint, source) = requests::source(requests, address, self.options.seed)?;
        let plan = PhasePlan {
            label: format!("warm-up-{index}"),
            kind,
        };
        Generator::new(endpoint, source, self.options)
            .and_then(|mut generator| generator.run(index, &plan, recorder, &control(self.stop)))
            .map_err(RunError::Load)
    }

    fn marked(&self) -> Vec<Scenario> {
        let mark = (MARK.0.to_owned(), MARK.1.to_owned());
        let mut marked = self.requests.to_vec();
        for step in marked.iter_mut().flat_map(|request| &mut request.steps) {
            step.headers.push(mark.clone());
        }
        marked
    }
}

/// The phase for a warm-up in bursts. In the recipe the last burst may be smaller, but only whole
/// bursts are sent, and at least one.
fn in_bursts(requests: u64, size: u64, rest_s: f64, connections: u32) -> PhaseKind {
    let bursts = requests.div_ceil(size).max(1);
    PhaseKind::Scheduled {
        schedule: ScheduleSpec::Burst {
            requests: size,
            over_s: 0.0,
            rest_s,
            // Ends halfway through the last rest, so that no further burst begins.
            duration_s: (bursts as f64 - 0.5) * rest_s,
        },
        connections,
    }
}

/// Why warming with a number of requests ended. If none was answered as expected, nothing was
/// warmed, however many were sent.
fn end_of(phases: &[PhaseRecord]) -> WarmUpEnd {
    let was_given_up = phases.iter().any(|phase| phase.unanswered);
    let has_failed = phases.iter().all(|phase| phase.succeeded == 0);
    match was_given_up || has_failed {
        true => WarmUpEnd::Watched(End::Failing),
        false => WarmUpEnd::AllSent,
    }
}

fn ended(end: WarmUpEnd) -> WarmUpRecord {
    WarmUpRecord {
        end: end.into(),
        ..WarmUpRecord::default()
    }
}

fn control(stop: &Stop) -> Control {
    Control {
        stop: Arc::clone(stop.flag()),
        ..Control::new()
    }
}

/// A warm-up until settled, as several threads see it.
#[derive(Clone, Debug)]
pub struct Settling(Arc<Mutex<Warming>>);

impl Settling {
    /// Of what this source sends.
    #[must_use]
    pub fn of(source: &dyn Source, rule: Rule) -> Self {
        let kinds = match source.kinds_are_known() {
            true => source.kinds().len(),
            // A stream has room for many kinds, of which only a few may come.
            false => 0,
        };
        Self(Arc::new(Mutex::new(Warming::new(rule, kinds))))
    }

    /// As it stands. What another thread left when it panicked is still a count.
    pub fn now(&self) -> MutexGuard<'_, Warming> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What came of sending until response times have settled.
pub(crate) struct Sent {
    /// Why it ended.
    pub end: End,
    /// Names of the kinds of request, which a stream tells only meanwhile.
    pub kinds: Vec<String>,
    /// What was wrong with the requests, for people.
    pub trouble: Vec<String>,
}

/// Sends until response times have settled, or it is enough for another reason.
#[allow(clippy::too_many_arguments)]
pub(crate) fn settle(
    endpoint: Endpoint,
    source: Box<dyn Source>,
    settling: &Settling,
    within: Duration,
    connections: u32,
    options: Options,
    recorder: &mut Recorder,
    stop: &Stop,
) -> Result<Sent, LoadError> {
    let watching = settling.clone();
    let watch = move |seen: Seen<'_>| {
        watching
            .now()
            .take(seen.kind as usize, answer_of(&seen))
            .is_none()
    };
    let watched = Box::new(Watched::new(source, Box::new(watch)));
    let mut generator = Generator::new(endpoint, watched, options)?;
    let phase = PhasePlan {
        label: "warm-up".to_owned(),
        kind: PhaseKind::Closed {
            requests: None,
            duration_s: Some(within.as_secs_f64()),
            connections,
            ramp_s: 0.0,
            think: None,
        },
    };
    let record = generator.run(0, &phase, recorder, &control(stop))?;
    let limit = match record.duration_s >= within.as_secs_f64() {
        true => End::TimeLimit,
        false => End::NothingLeft,
    };
    let end = match stop.is_set() {
        true => End::Interrupted,
        false => settling.now().end_at(limit),
    };
    Ok(Sent {
        end,
        kinds: generator.kinds().to_vec(),
        trouble: generator.trouble(),
    })
}

fn answer_of(seen: &Seen<'_>) -> Answer {
    match (seen.refused, seen.outcome.error_kind()) {
        (Some(why), _) => Answer::Bad(why.to_owned()),
        (None, None) => Answer::Good(seen.service_ms),
        (None, Some(ErrorKind::Refused)) => Answer::Refused(seen.outcome.to_string()),
        (None, Some(_)) => Answer::Bad(seen.outcome.to_string()),
    }
}

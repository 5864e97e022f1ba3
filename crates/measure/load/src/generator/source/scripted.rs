//! Requests of a workload: scenarios of steps, each run by a virtual user of its own.

use super::{Begun, Next, Source};
use crate::part::Part;
use crate::request::{Endpoint, Message, Rendered, RequestError};
use crate::transport::{Ended, Fault, Keep, KeptAnswer, Lane, Outcome};
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use tacho_clock::wall_ns;
use tacho_workload::{
    Answer, BeginFault, Check, FailureKind, Judgement, MAX_BODY_KEPT, ScenarioIndex, Script, User,
    Workload, WorkloadError,
};

/// A workload on its way to an endpoint. Steps that are the same each time are rendered once.
pub struct Scripted {
    script: Script,
    endpoint: Endpoint,
    names: Vec<String>,
    /// For each kind of request its bytes, where they are the same each time.
    fixed: Vec<Option<Arc<Rendered>>>,
    keep: Vec<Keep>,
    events: Vec<Option<NonZeroU32>>,
    needs_user: Vec<bool>,
    is_conversational: bool,
    expects_status: bool,
    /// By lane: who sends over it at present.
    users: Vec<User>,
    /// Why a feed ended before it should have.
    broken: Option<String>,
    /// Whether other generators begin the iterations between those that begin here.
    is_shared: bool,
    /// Rows of all iterations of the phase below this one were taken.
    rows_taken: u64,
}

impl std::fmt::Debug for Scripted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scripted")
            .field("names", &self.names)
            .finish_non_exhaustive()
    }
}

/// A workload that cannot be sent.
#[derive(Debug, thiserror::Error)]
pub enum ScriptedError {
    /// It cannot be made ready.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
    /// One of its requests cannot be sent as it is.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl Scripted {
    /// Makes a workload ready, and renders what is the same each time. Paths of files are relative
    /// to `base`.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    pub fn of(
        workload: &Workload,
        base: &Path,
        endpoint: &Endpoint,
        seed: u64,
    ) -> Result<Self, ScriptedError> {
        let script = Script::compile(workload, base, &endpoint.origin(), seed)?;
        let kinds = 0..script.kinds().len() as u32;
        let keep: Vec<Keep> = kinds.clone().map(|kind| keep_of(&script, kind)).collect();
        let events: Vec<_> = kinds.clone().map(|kind| script.events(kind)).collect();
        let fixed = kinds
            .clone()
            .map(|kind| {
                let name = &script.kinds()[kind as usize].name;
                let (keep, events) = (keep[kind as usize], events[kind as usize]);
                script
                    .fixed(kind)
                    .map(|message| render(name, message, endpoint, keep, events))
                    .transpose()
            })
            .collect::<Result<_, RequestError>>()?;
        let scenarios = script.kinds().last().map_or(0, |kind| kind.scenario.0 + 1);
        let needs_user: Vec<bool> = (0..scenarios)
            .map(|index| script.needs_user(ScenarioIndex(index)))
            .collect();
        let has_steps = (0..scenarios).any(|index| script.steps(ScenarioIndex(index)).len() > 1);
        let is_conversational = has_steps
            || kinds.clone().any(|kind| script.judges(kind))
            || needs_user.iter().any(|needs| *needs);
        Ok(Self {
            endpoint: endpoint.clone(),
            names: script
                .kinds()
                .iter()
                .map(|kind| kind.name.clone())
                .collect(),
            fixed,
            keep,
            events,
            needs_user,
            is_conversational,
            expects_status: workload.redirects > 0
                || workload.steps().any(|step| {
                    let mut checks = step.checks.iter();
                    checks.any(|check| matches!(check, Check::Status(_)))
                }),
            users: Vec::new(),
            broken: None,
            is_shared: false,
            rows_taken: 0,
            script,
        })
    }

    /// Makes room for the user of a lane.
    fn seat(&mut self, lane: Lane) {
        let lane = lane as usize;
        if self.users.len() <= lane {
            self.users.resize_with(lane + 1, User::new);
        }
    }

    /// Skips the rows of iterations that other generators begin. So each iteration gets the same
    /// row as with a single generator.
    fn pass_over(&mut self, phase: u32, n: u64) -> Result<(), BeginFault> {
        for other in self.rows_taken..n {
            let scenario = self.script.pick(phase, other);
            self.script.pass_over(scenario)?;
        }
        self.rows_taken = n + 1;
        Ok(())
    }

    /// The request of a step, or why there is none.
    fn make(&mut self, lane: Lane, kind: u32) -> Result<Arc<Rendered>, String> {
        if let Some(fixed) = &self.fixed[kind as usize] {
            return Ok(fixed.clone());
        }
        self.seat(lane);
        let user = &mut self.users[lane as usize];
        let message = self
            .script
            .render(user, kind, wall_ns())
            .map_err(|fault| fault.to_string())?;
        self.render(kind, &message)
    }

    fn render(
        &self,
        kind: u32,
        message: &tacho_workload::Message,
    ) -> Result<Arc<Rendered>, String> {
        let kind = kind as usize;
        let (name, keep, events) = (&self.names[kind], self.keep[kind], self.events[kind]);
        render(name, message, &self.endpoint, keep, events).map_err(|error| error.to_string())
    }

    fn next_step(&mut self, lane: Lane, kind: u32) -> Next {
        let scenario = self.script.kinds()[kind as usize].scenario;
        self.seat(lane);
        let think = self.script.think(&self.users[lane as usize], kind);
        let think_ns = think.map_or(0, |t| u64::try_from(t.as_nanos()).unwrap_or(u64::MAX));
        let next = kind + 1;
        if self.script.steps(scenario).contains(&next) {
            Next::Then(next, think_ns)
        } else {
            Next::DoneAndThink(think_ns)
        }
    }
}

impl Source for Scripted {
    fn kinds(&self) -> &[String] {
        &self.names
    }

    fn first_kind(&self, phase: u32, n: u64) -> u32 {
        self.script.steps(self.script.pick(phase, n)).start
    }

    fn set_part(&mut self, part: Part) {
        self.is_shared = part != Part::WHOLE && self.script.has_feeds();
    }

    fn start_phase(&mut self, phase: u32) -> Result<(), String> {
        self.rows_taken = 0;
        self.script
            .start_phase(phase)
            .map_err(|error| error.to_string())
    }

    #[inline]
    fn begin(&mut self, lane: Lane, phase: u32, n: u64) -> Begun {
        let scenario = self.script.pick(phase, n);
        let kind = self.script.steps(scenario).start;
        if !self.needs_user[scenario.0 as usize]
            && let Some(fixed) = &self.fixed[kind as usize]
        {
            return Begun::Send(kind, fixed.clone());
        }
        self.seat(lane);
        let passed = match self.is_shared {
            true => self.pass_over(phase, n),
            false => Ok(()),
        };
        let user = &mut self.users[lane as usize];
        match passed.and_then(|()| self.script.begin(user, phase, n, scenario)) {
            Ok(()) => {}
            Err(BeginFault::Exhausted { .. }) => return Begun::Exhausted,
            Err(fault @ BeginFault::Feed { .. }) => {
                self.broken.get_or_insert(fault.to_string());
                return Begun::Exhausted;
            }
        }
        self.step(lane, kind)
    }

    fn step(&mut self, lane: Lane, kind: u32) -> Begun {
        match self.make(lane, kind) {
            Ok(request) => Begun::Send(kind, request),
            Err(why) => Begun::Failed(kind, Fault::Template, why),
        }
    }

    fn is_conversational(&self) -> bool {
        self.is_conversational
    }

    fn answered(&mut self, lane: Lane, kind: u32, ended: &mut Ended) -> Next {
        let Outcome::Answered(status) = ended.outcome else {
            return Next::Done;
        };
        if self.script.judges(kind) {
            let head = ended.answer.as_deref().map_or_else(Vec::new, head_of);
            let kept = ended.answer.as_deref();
            let answer = Answer {
                status,
                head: &head,
                body: kept.map_or(&[], |answer| &answer.body),
                is_whole: kept.is_none_or(|answer| !answer.truncated),
            };
            self.seat(lane);
            let user = &mut self.users[lane as usize];
            match self.script.take_in(user, kind, &answer) {
                Judgement::Ok => {}
                Judgement::Failed(FailureKind::Status4xx | FailureKind::Status5xx, _) => {
                    return Next::Done;
                }
                Judgement::Failed(failure, why) => return Next::Failed(fault_of(failure), why),
                Judgement::Redirect(message) => {
                    return match self.render(kind, &message) {
                        Ok(request) => Next::Redirected(request),
                        Err(why) => Next::Failed(Fault::Redirect, why),
                    };
                }
            }
            if status >= 400 {
                ended.outcome = Outcome::Accepted(status);
            }
        } else if status >= 400 {
            return Next::Done;
        }
        self.next_step(lane, kind)
    }

    fn expects_status(&self) -> bool {
        self.expects_status
    }

    fn trouble(&self) -> Vec<String> {
        let broken = self.broken.iter().cloned();
        let rows = self.script.feeds().into_iter().filter_map(|feed| {
            feed.example.map(|row| {
                format!(
                    "feed `{}`: {} rows were passed over, the first because {row}",
                    feed.name, feed.broken
                )
            })
        });
        let waits = self
            .script
            .feeds()
            .into_iter()
            .filter(|feed| feed.waits > 0)
            .map(|feed| {
                format!(
                    "feed `{}`: {} requests were late because its next row was not read yet",
                    feed.name, feed.waits
                )
            });
        broken.chain(rows).chain(waits).collect()
    }
}

fn fault_of(failure: FailureKind) -> Fault {
    match failure {
        FailureKind::Capture => Fault::Capture,
        FailureKind::Redirect => Fault::Redirect,
        _ => Fault::Check,
    }
}

fn keep_of(script: &Script, kind: u32) -> Keep {
    match script.needs_answer(kind) {
        tacho_workload::Keep::Nothing => Keep::Nothing,
        tacho_workload::Keep::Head => Keep::Head,
        tacho_workload::Keep::HeadAndBody => Keep::HeadAndBody {
            limit: MAX_BODY_KEPT,
        },
    }
}

fn render(
    name: &str,
    message: &tacho_workload::Message,
    endpoint: &Endpoint,
    keep: Keep,
    events: Option<NonZeroU32>,
) -> Result<Arc<Rendered>, RequestError> {
    let rendered = Rendered::new(&Message::of(name, message), endpoint, keep)?;
    Ok(Arc::new(rendered.awaiting(events)))
}

/// The header fields as lines, as a workload reads them.
fn head_of(answer: &KeptAnswer) -> Vec<u8> {
    let mut head = Vec::new();
    for (name, value) in &answer.headers {
        head.extend_from_slice(name.as_bytes());
        head.extend_from_slice(b": ");
        head.extend_from_slice(value);
        head.extend_from_slice(b"\r\n");
    }
    head
}

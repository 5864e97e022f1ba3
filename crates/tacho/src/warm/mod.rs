//! `tacho warm`: requests to a running service until its response times have settled.

pub mod arguments;
mod progress;
mod reachable;
mod summary;

use crate::exit::Exit;
use crate::load::error::LoadCommandError;
use crate::load::requests::{Asked, options};
use crate::signals::stop_on_signals;
use crate::{Done, output};
use arguments::{OnFailure, Warm};
use progress::Progress;
use std::time::Instant;
use tacho_import::Given;
use tacho_load::recorder::Files;
use tacho_load::{Endpoint, Source};
use tacho_runner::{Settling, Stop, settle};
use tacho_warm_up::{End, Ending, Gate, Rule, State, Summary};

/// Warms and says what came of it. With a gate it stays, and does so again for each service that takes the place of the one before.
pub fn warm(arguments: &Warm) -> Done {
    let asked = Asked::of(arguments.url.as_deref(), &arguments.what, &arguments.how)?;
    if arguments.gate.is_some() && asked.given.as_ref().is_some_and(Given::is_gone_once_sent) {
        return Err(LoadCommandError::GateNeedsFile.into());
    }
    for note in asked.notes() {
        crate::tell!("note: {note}");
    }
    let (url, endpoint) = (asked.url(), &asked.endpoint);
    let marks = std::slice::from_ref(&arguments.mark);
    let source = || asked.source(&arguments.what, arguments.until.seed, marks);
    // What is wrong with it is said at once, and not when the service is there.
    let mut next = source()?;
    // Before anybody can know that there is something to end.
    let stop = stop_on_signals()?;
    let gate = arguments.gate.as_ref().map(Gate::open).transpose()?;
    if let (Some(gate), Some(at), false) = (&gate, &arguments.gate, arguments.quiet) {
        if at.is_of_this_machine_by_default() {
            crate::tell!(
                "this machine alone can ask for readiness; a kubelet asks at the address of the pod: --gate 0.0.0.0:{}",
                gate.address().port()
            );
        }
        crate::tell!("readiness is asked at {}", gate.address());
    }
    let mut restarts = 0;
    loop {
        let outcome = warmed(arguments, endpoint, next, &url, restarts, &stop)?;
        // Before it is said, so that whoever reads "Traffic may come" finds the gate open.
        if let Some(gate) = &gate {
            gate.say(outcome.state());
        }
        output::json_or_summary(
            arguments.json.as_deref(),
            || output::pretty(&outcome.summary),
            || summary::text(&outcome.summary),
        )?;
        let Some(gate) = &gate else {
            return Ok(outcome.exit());
        };
        if !another_comes(gate, &outcome, endpoint, arguments.quiet, &stop) {
            return Ok(outcome.exit());
        }
        restarts += 1;
        next = source()?;
    }
}

/// Waits until a service is there that was not warmed; the gate is closed from the moment at which that is known. Whether one
/// came before the stop.
fn another_comes(
    gate: &Gate,
    outcome: &Outcome,
    endpoint: &Endpoint,
    quiet: bool,
    stop: &Stop,
) -> bool {
    if outcome.somebody_was_there {
        if !reachable::goes(&endpoint.address, stop) {
            return false;
        }
        gate.say(State::Warming);
        if !quiet {
            crate::tell!(
                "nobody listens at {} any more; what comes in its place is warmed",
                endpoint.authority
            );
        }
    }
    let came = reachable::arrives(&endpoint.address, stop);
    if came {
        gate.say(State::Warming);
    }
    came
}

/// What came of one warm-up.
struct Outcome {
    summary: Summary,
    somebody_was_there: bool,
}

impl Outcome {
    fn state(&self) -> State {
        if self.summary.ready {
            State::Ready
        } else {
            State::Failed
        }
    }

    fn exit(&self) -> Exit {
        match self.summary.end {
            End::Interrupted => Exit::Interrupted,
            _ if self.summary.ready => Exit::Done,
            _ => Exit::CheckFailed,
        }
    }
}

fn warmed(
    arguments: &Warm,
    endpoint: &Endpoint,
    source: Box<dyn Source>,
    url: &str,
    restarts: u64,
    stop: &Stop,
) -> Result<Outcome, LoadCommandError> {
    let until = &arguments.until;
    let names = source.kinds().to_vec();
    let rule = Rule {
        at_least: until.at_least,
        at_most: until.at_most,
        failures_in_a_row: until.failures,
    };
    let settling = Settling::new(rule, names.len());
    let waited = reachable::wait(endpoint, until.wait, arguments.quiet, stop);
    let began = Instant::now();
    let somebody_was_there = waited.is_ok();
    let end = if let Err(why) = waited {
        settling.now().give_up(why);
        End::Failing
    } else {
        let _progress = Progress::start(&settling, arguments.quiet);
        send(arguments, endpoint.clone(), source, &settling, stop)?
    };
    let end = if stop.is_set() { End::Interrupted } else { end };
    let ready = match end {
        End::Settled | End::RequestLimit | End::TimeLimit | End::NothingLeft => true,
        End::Failing => until.on_failure == OnFailure::Open,
        End::Interrupted => false,
    };
    let summary = Summary::of(
        &settling.now(),
        url,
        &names,
        Ending {
            end,
            ready,
            duration_s: began.elapsed().as_secs_f64(),
            restarts,
        },
    );
    Ok(Outcome {
        summary,
        somebody_was_there,
    })
}

/// Sends until it is enough.
fn send(
    arguments: &Warm,
    endpoint: Endpoint,
    source: Box<dyn Source>,
    settling: &Settling,
    stop: &Stop,
) -> Result<End, LoadCommandError> {
    let until = &arguments.until;
    // A sidecar may have no folder to write to.
    let mut recorder = Files::nowhere().record()?;
    Ok(settle(
        endpoint,
        source,
        settling,
        until.within,
        until.connections,
        options(&arguments.how, arguments.until.seed),
        &mut recorder,
        stop,
    )?)
}

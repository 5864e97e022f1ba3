//! `tacho warm`: requests to a running service until its response times have settled.

pub mod arguments;
mod progress;
mod reachable;
mod summary;

use crate::exit::Exit;
use crate::load::endpoint::endpoint;
use crate::load::error::LoadCommandError;
use crate::load::requests::{self, Targets};
use crate::load::{notes, options};
use crate::signals::stop_on_signals;
use crate::{Done, output};
use arguments::{OnFailure, Warm};
use progress::Progress;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};
use tacho_load::{Anchor, Endpoint, Recorder, Source, monotonic_ns};
use tacho_runner::{Settling, Stop, settle};
use tacho_warm_up::{End, Gate, Rule, State, Summary};

/// Where records go that nobody wants; a sidecar may have no folder to write to.
const NOWHERE: &str = "/dev/null";
/// A gate goes on saying what it says until it is ended.
const GATE_LOOKS: Duration = Duration::from_millis(100);

/// Warms, says what came of it, and holds the gate open.
pub fn warm(arguments: &Warm) -> Done {
    let targets = Targets::read(&arguments.what)?;
    let (endpoint, path) = endpoint(arguments.url.as_deref(), targets.imported(), &arguments.how)?;
    for note in notes(&targets, &endpoint) {
        anstream::eprintln!("note: {note}");
    }
    let url = format!("{}://{}{path}", endpoint.scheme(), endpoint.authority);
    let marks = std::slice::from_ref(&arguments.mark);
    let seed = arguments.until.seed;
    let source = requests::source(targets, &arguments.what, seed, marks, &endpoint, &path)?;
    // Before anybody can know that there is something to end.
    let stop = stop_on_signals()?;
    let gate = arguments.gate.as_ref().map(Gate::open).transpose()?;
    if let Some(gate) = gate.as_ref().filter(|_| !arguments.quiet) {
        anstream::eprintln!("readiness is asked at {}", gate.address());
    }
    let summary = warmed(arguments, endpoint, source, &url, &stop)?;
    if let Some(gate) = &gate {
        gate.say(if summary.ready {
            State::Ready
        } else {
            State::Failed
        });
    }
    output::json_or_summary(
        arguments.json.as_deref(),
        || output::pretty(&summary),
        || summary::text(&summary),
    )?;
    if gate.is_some() {
        while !stop.is_set() {
            std::thread::sleep(GATE_LOOKS);
        }
    }
    Ok(match summary.end {
        End::Interrupted => Exit::Interrupted,
        _ if summary.ready => Exit::Done,
        _ => Exit::CheckFailed,
    })
}

fn warmed(
    arguments: &Warm,
    endpoint: Endpoint,
    source: Box<dyn Source>,
    url: &str,
    stop: &Stop,
) -> Result<Summary, LoadCommandError> {
    let until = &arguments.until;
    let names = source.kinds().to_vec();
    let rule = Rule {
        at_least: until.at_least,
        at_most: until.at_most,
        failures_in_a_row: until.failures,
    };
    let settling = Settling::new(rule, names.len());
    let began = Instant::now();
    let end = if let Err(why) = reachable::wait(&endpoint, until.wait, arguments.quiet, stop) {
        settling.now().give_up(why);
        End::Failing
    } else {
        let _progress = Progress::start(&settling, arguments.quiet);
        send(arguments, endpoint, source, &settling, stop)?
    };
    let end = if stop.is_set() { End::Interrupted } else { end };
    let ready = match end {
        End::Settled | End::RequestLimit | End::TimeLimit | End::NothingLeft => true,
        End::Failing => until.on_failure == OnFailure::Open,
        End::Interrupted => false,
    };
    let duration_s = began.elapsed().as_secs_f64();
    Ok(Summary::of(
        &settling.now(),
        url,
        &names,
        end,
        ready,
        duration_s,
    ))
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
    let anchor = Anchor {
        exec_ns: monotonic_ns(),
        wall: SystemTime::now(),
    };
    let nowhere = Path::new(NOWHERE);
    let mut recorder = Recorder::create_files(nowhere, nowhere, nowhere, anchor)
        .map_err(tacho_load::LoadError::from)?;
    Ok(settle(
        endpoint,
        source,
        settling,
        until.within,
        until.connections,
        options(&arguments.how),
        &mut recorder,
        stop,
    )?)
}

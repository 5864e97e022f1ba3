//! `tacho warm`: requests to a running service until its response times have settled.

pub mod arguments;
mod progress;
mod reachable;
mod summary;

use crate::exit::Exit;
use crate::load::endpoint::endpoint;
use crate::load::error::LoadCommandError;
use crate::load::notes;
use crate::load::requests::{self, Targets};
use crate::signals::stop_on_signals;
use crate::{Done, output};
use arguments::{OnFailure, Warm};
use progress::Progress;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use tacho_load::{
    Anchor, Control, Endpoint, Generator, Options, Recorder, Seen, Source, Watched, monotonic_ns,
};
use tacho_run_folder::{PhaseKind, PhasePlan};
use tacho_runner::Stop;
use tacho_warm_up::{Answer, End, Gate, Rule, State, Summary, Warming};

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
    let warming = Arc::new(Mutex::new(Warming::new(
        Rule {
            at_least: until.at_least,
            at_most: until.at_most,
            failures_in_a_row: until.failures,
        },
        names.len(),
    )));
    let began = Instant::now();
    let end = if let Err(why) = reachable::wait(&endpoint, until.wait, arguments.quiet, stop) {
        locked(&warming).give_up(why);
        None
    } else {
        let progress = Progress::start(&warming, arguments.quiet);
        let end = send(arguments, endpoint, source, &warming, stop)?;
        progress.finish();
        Some(end)
    };
    let warming = locked(&warming);
    let end = match (stop.is_set(), warming.end(), end) {
        (true, ..) => End::Interrupted,
        (_, Some(end), _) | (_, None, Some(end)) => end,
        (_, None, None) => End::Failing,
    };
    let ready = match end {
        End::Settled | End::RequestLimit | End::TimeLimit | End::NothingLeft => true,
        End::Failing => until.on_failure == OnFailure::Open,
        End::Interrupted => false,
    };
    let duration_s = began.elapsed().as_secs_f64();
    Ok(Summary::of(&warming, url, &names, end, ready, duration_s))
}

/// Sends until it is enough; the end that lies outside of the answers.
fn send(
    arguments: &Warm,
    endpoint: Endpoint,
    source: Box<dyn Source>,
    warming: &Arc<Mutex<Warming>>,
    stop: &Stop,
) -> Result<End, LoadCommandError> {
    let until = &arguments.until;
    let watching = Arc::clone(warming);
    let watch = move |seen: Seen<'_>| {
        locked(&watching)
            .take(seen.kind as usize, answer_of(&seen))
            .is_none()
    };
    let options = Options {
        connect_timeout: arguments.how.connect_timeout,
        request_timeout: arguments.how.timeout,
        streams_per_connection: NonZeroU32::new(arguments.how.streams).unwrap_or(NonZeroU32::MIN),
        ..Options::default()
    };
    let watched = Box::new(Watched::new(source, Box::new(watch)));
    let mut generator = Generator::with_source(endpoint, watched, options)?;
    let anchor = Anchor {
        exec_ns: monotonic_ns(),
        wall: SystemTime::now(),
    };
    let nowhere = Path::new(NOWHERE);
    let mut recorder = Recorder::create_files(nowhere, nowhere, nowhere, anchor)
        .map_err(tacho_load::LoadError::from)?;
    let phase = PhasePlan {
        label: "warm-up".to_owned(),
        kind: PhaseKind::Closed {
            requests: None,
            duration_s: Some(until.within.as_secs_f64()),
            connections: until.connections,
            ramp_s: 0.0,
            think: None,
        },
    };
    let control = Control {
        stop: stop.flag().clone(),
        ..Control::new()
    };
    let record = generator.run(0, &phase, &mut recorder, &control)?;
    let ran_s = record.duration_s;
    Ok(if ran_s >= until.within.as_secs_f64() {
        End::TimeLimit
    } else {
        End::NothingLeft
    })
}

fn answer_of(seen: &Seen<'_>) -> Answer {
    match (seen.refused, seen.outcome.error_kind()) {
        (Some(why), _) => Answer::Bad(why.to_owned()),
        (None, None) => Answer::Good(seen.service_ms),
        (None, Some(_)) => Answer::Bad(seen.outcome.to_string()),
    }
}

/// What another thread left when it panicked is still a count.
fn locked(warming: &Mutex<Warming>) -> std::sync::MutexGuard<'_, Warming> {
    warming.lock().unwrap_or_else(PoisonError::into_inner)
}

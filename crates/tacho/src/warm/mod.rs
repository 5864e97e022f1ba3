//! `tacho warm`: requests to a running service until its response times have settled.

pub mod arguments;

use crate::error::Error;
use crate::load::error::LoadCommandError;
use crate::load::requests::Asked;
use crate::signals::stop_on_signals;
use crate::{Done, output};
use arguments::{OnFailure, Warm};
use tacho_import::Given;
use tacho_load_report::warm::text;
use tacho_progress::Warming;
use tacho_runner::{Service, Warmth};
use tacho_warm_up::{Gate, GateAddress, Rule};

/// Warms the service and prints the result. With a gate it keeps running, and warms each service
/// that replaces the one before.
pub fn warm(arguments: &Warm) -> Done {
    if arguments.what.grpc.asks_the_server() {
        return Err(LoadCommandError::WarmNeedsSchema.into());
    }
    let asked = Asked::of(arguments.url.as_deref(), &arguments.what, &arguments.how)?;
    if arguments.gate.is_some() && asked.given.as_ref().is_some_and(Given::is_gone_once_sent) {
        return Err(LoadCommandError::GateNeedsFile.into());
    }
    for note in asked.notes() {
        crate::tell!("note: {note}");
    }
    let until = &arguments.until;
    let marks = std::slice::from_ref(&arguments.mark);
    let source = || Ok(asked.source(&arguments.what, until.seed, marks)?);
    // Report errors in the requests now, and not when the service is up.
    let first = source()?;
    // Catch signals before anything exists that would have to be ended.
    let stop = stop_on_signals()?;
    let gate = arguments.gate.as_ref().map(Gate::open).transpose()?;
    if let (Some(gate), Some(at), false) = (&gate, &arguments.gate, arguments.quiet) {
        tell_where(gate, at);
    }
    let service = Service {
        endpoint: &asked.endpoint,
        url: &asked.url(),
        rule: Rule {
            at_least: until.at_least,
            at_most: until.most_requests(),
            failures_in_a_row: until.failures,
            // Behind a gate another warm-up follows.
            until_refused: gate.is_some(),
        },
        wait: until.wait,
        within: until.within,
        connections: until.connections,
        options: asked.options(&arguments.how, until.seed),
        open_on_failure: until.on_failure == OnFailure::Open,
        gate: gate.as_ref(),
        stop: &stop,
    };
    let authority = &asked.endpoint.authority;
    let mut progress = None;
    let mut tell = |warmth: Warmth<'_>| {
        match warmth {
            Warmth::Known(summary) => output::json_or_summary(
                arguments.json.as_deref(),
                || output::pretty(summary),
                || text(summary),
            )?,
            Warmth::Ended => progress = None,
            _ if arguments.quiet => {}
            Warmth::Began(settling) => progress = Some(Warming::start(settling)),
            Warmth::Waiting(why) => crate::tell!("waiting for {authority} ({why})"),
            Warmth::Gone => {
                crate::tell!("the service at {authority} is gone; its replacement will be warmed")
            }
        }
        Ok(())
    };
    Ok(service.warm::<Error>(first, &source, &mut tell)?.into())
}

fn tell_where(gate: &Gate, at: &GateAddress) {
    if at.is_of_this_machine_by_default() {
        crate::tell!(
            "only this machine can ask for readiness; for a kubelet, which asks at the pod's address, use --gate 0.0.0.0:{}",
            gate.address().port()
        );
    }
    crate::tell!("readiness is asked at {}", gate.address());
}

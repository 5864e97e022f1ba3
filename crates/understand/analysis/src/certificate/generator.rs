//! Rules about the instrument itself: was it late, was it the limit, did it disturb?

use super::bounds::{GENERATOR_CPU, RECONNECTS, SHORTEST_S, wait_bound_ms};
use super::{Reading, completed, evidence, judge};
use std::collections::{BTreeMap, BTreeSet};
use tacho_figures::{ms, number, percent};
use tacho_run_folder::{
    CertificateState, Evidence, LATE_SHARE, LaunchData, PhaseRecord, PhaseTag, RunData, lateness_of,
};

/// The share of one processor that the observers may use.
const OBSERVER_CPU: f64 = 0.05;

/// Kinds of phases with a schedule that the generator can be late for. A search overloads on
/// purpose, and looks at the generator itself after each trial.
const OPEN: [PhaseTag; 2] = [PhaseTag::Open, PhaseTag::Scheduled];
/// Kinds whose throughput the generator could bound.
const SATURATING: [PhaseTag; 3] = [PhaseTag::Closed, PhaseTag::Open, PhaseTag::Scheduled];
/// Kinds that send requests.
const LOADED: [PhaseTag; 6] = [
    PhaseTag::Cold,
    PhaseTag::Settle,
    PhaseTag::Closed,
    PhaseTag::Open,
    PhaseTag::Scheduled,
    PhaseTag::Search,
];

fn phases<'a>(
    run: &'a RunData,
    kinds: &'a [PhaseTag],
) -> impl Iterator<Item = (&'a LaunchData, &'a PhaseRecord)> {
    completed(run)
        .flat_map(|launch| {
            launch
                .record
                .phases
                .iter()
                .map(move |phase| (launch, phase))
        })
        .filter(|(_, phase)| kinds.contains(&phase.kind) && phase.requests > 0)
}

fn place(launch: &LaunchData, phase: &PhaseRecord) -> String {
    format!("launch {}, {}", launch.record.number, phase.label)
}

fn of_phase(launch: &LaunchData, phase: &PhaseRecord, value: f64, degraded_above: f64) -> Reading {
    Reading {
        place: place(launch, phase),
        ..Reading::of_launch(launch, value, degraded_above)
    }
}

/// Names a phase of a cell: the cell's id and the label of the phase.
type Of<'a> = (&'a str, &'a str);

fn of<'a>(launch: &'a LaunchData, phase: &'a PhaseRecord) -> Of<'a> {
    (&launch.record.cell, &phase.label)
}

/// Phases of cells in which the generator was late for every quantile of every launch: then there
/// is nothing to go by. A launch among others is left out.
fn late_throughout(run: &RunData) -> BTreeSet<Of<'_>> {
    let mut is_late = BTreeMap::new();
    for (launch, phase) in phases(run, &OPEN) {
        let is_everywhere = lateness_of(phase).is_some_and(|lateness| lateness.is_everywhere);
        *is_late.entry(of(launch, phase)).or_insert(true) &= is_everywhere;
    }
    is_late.retain(|_, in_all| *in_all);
    is_late.into_keys().collect()
}

/// How much of the reported quantiles is the generator's own lateness. Only open phases have a
/// schedule to be late for.
pub fn dispatch_delay(run: &RunData) -> Option<Evidence> {
    let mut readings = Vec::new();
    let late = late_throughout(run);
    for (launch, phase) in phases(run, &OPEN) {
        let Some(lateness) = lateness_of(phase) else {
            if phase.response_time_ms.is_none() {
                continue;
            }
            return evidence(
                "dispatch-delay",
                CertificateState::Degraded,
                format!(
                    "the generator's lag was not recorded ({})",
                    place(launch, phase)
                ),
                vec![launch.record.number],
            );
        };
        readings.push(Reading {
            place: format!("{}, {}", place(launch, phase), lateness.worst.quantile),
            invalid_above: match late.contains(&of(launch, phase)) {
                true => LATE_SHARE,
                false => f64::INFINITY,
            },
            ..Reading::of_launch(launch, lateness.worst.share, LATE_SHARE)
        });
    }
    judge("dispatch-delay", &readings, |worst| {
        format!(
            "up to {} of a quantile of the response time was the generator's own lateness ({}); bound {}; late values are left out, and the certificate is invalid where a variant has no others",
            percent(worst.value),
            worst.place,
            percent(LATE_SHARE),
        )
    })
}

/// Response times stay right when connections are busy, for they count from the intended instant;
/// but the subject was offered less at a time than the schedule wanted.
pub fn busy_connections(run: &RunData) -> Option<Evidence> {
    let readings: Vec<Reading> = phases(run, &OPEN)
        .filter_map(|(launch, phase)| {
            let waited_ms = phase.dispatch_delay_ms?.p99 - phase.generator_lag_ms?.p99;
            Some(of_phase(
                launch,
                phase,
                waited_ms.max(0.0),
                wait_bound_ms(phase),
            ))
        })
        .collect();
    judge("busy-connections", &readings, |worst| {
        format!(
            "requests waited up to {} for a free connection (p99; {}); bound {}; above it the connections limit the offered load: give the phase more connections",
            ms(worst.value),
            worst.place,
            ms(worst.degraded_above),
        )
    })
}

/// A lower bound of the throughput is still a true statement, so this is never invalid; lateness
/// that comes of it is seen by [`dispatch_delay`].
pub fn generator_cpu(run: &RunData) -> Option<Evidence> {
    let readings: Vec<Reading> = phases(run, &SATURATING)
        .filter(|(_, phase)| phase.duration_s >= SHORTEST_S)
        .map(|(launch, phase)| {
            let share = phase.generator_cpu_s / phase.duration_s;
            of_phase(launch, phase, share, GENERATOR_CPU)
        })
        .collect();
    judge("generator-cpu", &readings, |worst| {
        format!(
            "the generator used up to {} of its one processor ({}); above {} the throughput is a lower bound: the generator may have been the limit",
            percent(worst.value),
            worst.place,
            percent(GENERATOR_CPU),
        )
    })
}

/// Connections that the subject closed had to be opened again inside the clock.
pub fn reconnects(run: &RunData) -> Option<Evidence> {
    let asked = asked_to_close(run);
    let bound = asked + RECONNECTS;
    let readings: Vec<Reading> = phases(run, &LOADED)
        .map(|(launch, phase)| {
            let share = phase.reconnects as f64 / phase.requests as f64;
            of_phase(launch, phase, share, bound)
        })
        .collect();
    judge("reconnects", &readings, |worst| {
        let bound = match asked > 0.0 {
            false => format!("bound {}", percent(bound)),
            true => format!(
                "{} of all requests ask for it (`Connection: close`), and the bound beyond these is {}",
                percent(asked),
                percent(RECONNECTS)
            ),
        };
        format!(
            "up to {} of the requests of a phase needed a new connection ({}); {bound}, above which response times include connecting",
            percent(worst.value),
            worst.place,
        )
    })
}

/// The share of the requests that ask for their connection to be closed: there connecting is what
/// somebody wants to measure.
fn asked_to_close(run: &RunData) -> f64 {
    let requests = run.plan.requests.as_deref().unwrap_or_default();
    let all: f64 = requests.iter().map(|request| request.weight).sum();
    let closing = requests.iter().filter(|request| request.closes);
    let closing: f64 = closing.map(|request| request.weight).sum();
    if all > 0.0 { closing / all } else { 0.0 }
}

/// The processor time that observing cost while something was measured. What observing costs
/// outside of that disturbs nothing: at ready no request was sent yet, and at the end all are
/// answered.
pub fn observer_cpu(run: &RunData) -> Option<Evidence> {
    let readings: Vec<Reading> = completed(run)
        .filter_map(|launch| {
            let resources = &launch.record.resources;
            let end_ms = resources.at_end?.at_ms;
            let meanwhile_s = resources.observer_cpu_s - resources.observer_cpu_at_rest_s;
            let share = meanwhile_s / (end_ms / 1e3);
            (end_ms >= 1e3 * SHORTEST_S).then(|| Reading::of_launch(launch, share, OBSERVER_CPU))
        })
        .collect();
    judge("observer-cpu", &readings, |worst| {
        format!(
            "observing used up to {} of a processor ({}); bound {} of {}",
            percent(worst.value),
            worst.place,
            percent(OBSERVER_CPU),
            match run.header.machine.cpus {
                1 => "the machine's only one".to_owned(),
                n => format!("one of the machine's {}", number(f64::from(n))),
            },
        )
    })
}

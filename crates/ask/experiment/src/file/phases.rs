//! The phases of a launch.

mod closed;
mod schedules;
mod search;

use super::checked_name;
use crate::defaults::{CLOSED_CONNECTIONS, OPEN_CONNECTIONS, SETTLE_WITHIN};
use crate::model::{PhaseKind, PhasePlan};
use std::path::Path;
use tacho_fields::{self as fields, Fields, Problems};
use tacho_fields::{Node, Value};
use tacho_quantity::{Count, PositiveDuration, Rate};

const KINDS: [&str; 12] = [
    "cold", "settle", "closed", "open", "ramp", "steps", "sine", "poisson", "burst", "replay",
    "search", "rest",
];

/// What a phase needs from the rest of the file.
pub(super) struct Surroundings<'a> {
    /// Paths count from here.
    pub folder: &'a Path,
    /// Seed of the experiment, from which random arrivals are seeded.
    pub seed: u64,
}

pub(super) fn read(
    node: Node,
    surroundings: &Surroundings<'_>,
    problems: &Problems,
) -> Vec<PhasePlan> {
    let items = fields::items(node, "phases", "- cold: {requests: 5}", problems);
    let mut phases: Vec<PhasePlan> = Vec::new();
    for (index, item) in (0..).zip(items.unwrap_or_default()) {
        let place = item.place;
        // Two phases with random arrivals must not have the same arrivals.
        let surroundings = Surroundings {
            seed: surroundings.seed.wrapping_add(index),
            ..*surroundings
        };
        let Some((label, kind)) = read_phase(item, &surroundings, problems) else {
            continue;
        };
        let label = match label {
            Some(label) => {
                if phases.iter().any(|p| p.label == label) {
                    problems.add(place, format!("a second phase has the label `{label}`"));
                }
                label
            }
            None => unused_label(&base_label(&kind), &phases),
        };
        phases.push(PhasePlan { label, kind });
    }
    phases
}

/// A label that no phase has yet: `closed`, then `closed-2`, `closed-3`.
fn unused_label(base: &str, phases: &[PhasePlan]) -> String {
    let numbered = (2..).map(|number: u32| format!("{base}-{number}"));
    std::iter::once(base.to_owned())
        .chain(numbered)
        .find(|label| phases.iter().all(|phase| phase.label != *label))
        .unwrap_or_default()
}

/// The word that the phase was written with.
fn base_label(kind: &PhaseKind) -> String {
    match kind {
        PhaseKind::Scheduled { schedule, .. } => schedule.name().to_owned(),
        other => other.tag().to_string(),
    }
}

/// `- closed: {requests: 1000, connections: 10}`: a mapping with one key, the kind.
fn read_phase(
    node: Node,
    surroundings: &Surroundings<'_>,
    problems: &Problems,
) -> Option<(Option<String>, PhaseKind)> {
    let place = node.place;
    let Value::Map(mut entries) = node.value else {
        problems.add(
            place,
            "a phase is written as its kind with its settings, for example `- cold: {requests: 5}`",
        );
        return None;
    };
    if entries.len() != 1 {
        problems.add(
            place,
            "a phase has one kind; put each on a line of its own beginning with `- `",
        );
        return None;
    }
    let (kind, settings) = entries.pop()?;
    match kind.name.as_str() {
        "rest" if matches!(settings.value, Value::Text(_)) => read_short_rest(settings, problems),
        "cold" => with_fields(settings, "a cold phase", problems, |f| {
            Some(PhaseKind::Cold {
                requests: f.required::<Count>("requests", "5")?.0,
            })
        }),
        "settle" => with_fields(settings, "a settle phase", problems, |f| {
            let within = f.duration("within").unwrap_or(SETTLE_WITHIN);
            Some(PhaseKind::Settle {
                within_s: within.as_secs_f64(),
                connections: connections(f, CLOSED_CONNECTIONS),
            })
        }),
        "closed" => with_fields(settings, "a closed phase", problems, closed::read),
        "ramp" => with_fields(settings, "a ramp", problems, schedules::ramp),
        "steps" => with_fields(settings, "a phase of steps", problems, schedules::steps),
        "sine" => with_fields(settings, "a sine", problems, schedules::sine),
        "poisson" => with_fields(settings, "a Poisson phase", problems, |f| {
            schedules::poisson(f, surroundings.seed)
        }),
        "burst" => with_fields(settings, "a phase of bursts", problems, schedules::burst),
        "replay" => with_fields(settings, "a replay", problems, |f| {
            schedules::replay(f, surroundings.folder)
        }),
        "search" => with_fields(settings, "a search", problems, search::read),
        "open" => with_fields(settings, "an open phase", problems, |f| {
            let rate = f.required::<Rate>("rate", "500/s");
            let duration = f.required::<PositiveDuration>("duration", "10s");
            let connections = connections(f, OPEN_CONNECTIONS);
            Some(PhaseKind::Open {
                rate: rate?.0,
                duration_s: duration?.as_secs_f64(),
                connections,
            })
        }),
        "rest" => with_fields(settings, "a rest", problems, |f| {
            Some(PhaseKind::Rest {
                duration_s: f
                    .required::<tacho_quantity::Duration>("duration", "1s")?
                    .as_secs_f64(),
            })
        }),
        other => {
            let hint = fields::hint(other, "the kinds are", &KINDS);
            problems.add(
                kind.place,
                format!("there is no phase kind `{other}`; {hint}"),
            );
            None
        }
    }
}

fn read_short_rest(node: Node, problems: &Problems) -> Option<(Option<String>, PhaseKind)> {
    let Value::Text(text) = &node.value else {
        return None;
    };
    match text.parse::<tacho_quantity::Duration>() {
        Ok(duration) => Some((
            None,
            PhaseKind::Rest {
                duration_s: duration.as_secs_f64(),
            },
        )),
        Err(error) => {
            problems.add(node.place, fields::said("rest", &error));
            None
        }
    }
}

fn with_fields(
    node: Node,
    what: &'static str,
    problems: &Problems,
    read: impl FnOnce(&mut Fields<'_>) -> Option<PhaseKind>,
) -> Option<(Option<String>, PhaseKind)> {
    let mut fields = Fields::of(node, what, problems)?;
    let label = fields.text("label");
    let label = label.map(|label| checked_name("label", label, problems));
    let kind = read(&mut fields);
    fields.finish();
    kind.map(|kind| (label, kind))
}

fn connections(fields: &mut Fields<'_>, default: u32) -> u32 {
    fields.count("connections").unwrap_or(default)
}

#[cfg(test)]
mod tests;

//! The closed loop, and how long its users think.

use super::connections;
use crate::model::{PhaseKind, ThinkSpec};
use std::time::Duration;
use tacho_fields::Fields;
use tacho_fields::{Node, Value};
use tacho_quantity::{Count, PositiveDuration};

pub(super) fn read(f: &mut Fields<'_>) -> Option<PhaseKind> {
    let is_endless = !f.has("requests") && !f.has("duration");
    let requests = f.quantity::<Count>("requests");
    let duration = f.quantity::<PositiveDuration>("duration");
    let connections = connections(f, 1);
    let ramp = f.duration("ramp").unwrap_or_default();
    let think = f.take("think").and_then(|node| read_think(node, f));
    if is_endless {
        f.problems.add(
            f.place,
            "a closed phase needs an end, for example `requests: 100000` or `duration: 20s`",
        );
        return None;
    }
    Some(PhaseKind::Closed {
        requests: requests.map(|count| count.0),
        duration_s: duration.map(|length| length.as_secs_f64()),
        connections,
        ramp_s: ramp.as_secs_f64(),
        think,
    })
}

/// `100ms`, `{uniform: [50ms, 150ms]}` or `{exponential: 100ms}`.
fn read_think(node: Node, phase: &Fields<'_>) -> Option<ThinkSpec> {
    if let Value::Text(_) = node.value {
        let (_, time) = phase.quantity_of::<tacho_quantity::Duration>(node, "think")?;
        return Some(ThinkSpec::Constant { ms: ms(*time) });
    }
    let place = node.place;
    let mut f = Fields::of(node, "a think time", phase.problems)?;
    let has_both = f.has("uniform") && f.has("exponential");
    let has_none = !f.has("uniform") && !f.has("exponential");
    let uniform = f.take("uniform").and_then(|node| read_uniform(node, &f));
    let exponential = f.quantity::<PositiveDuration>("exponential");
    if has_both || has_none {
        f.problems.add(
            place,
            "a think time is one of `100ms`, `{uniform: [50ms, 150ms]}` and `{exponential: 100ms}`",
        );
    }
    f.finish();
    uniform.or_else(|| exponential.map(|mean| ThinkSpec::Exponential { mean_ms: ms(*mean) }))
}

fn read_uniform(node: Node, think: &Fields<'_>) -> Option<ThinkSpec> {
    let (place, found) = (node.place, node.description());
    let bounds: Option<[Node; 2]> = match node.value {
        Value::List(items) => items.try_into().ok(),
        _ => None,
    };
    let Some([from, to]) = bounds else {
        think.problems.add(
            place,
            format!("`uniform` must be a list of two durations such as [50ms, 150ms], not {found}"),
        );
        return None;
    };
    let (_, from) = think.quantity_of::<tacho_quantity::Duration>(from, "uniform")?;
    let (place, to) = think.quantity_of::<tacho_quantity::Duration>(to, "uniform")?;
    if to < from {
        think.problems.add(
            place,
            "`uniform` ends before it begins; write the shorter duration first",
        );
        return None;
    }
    Some(ThinkSpec::Uniform {
        from_ms: ms(*from),
        to_ms: ms(*to),
    })
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

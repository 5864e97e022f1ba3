//! Open phases whose rate is not constant.
//!
//! Every function reads all of its keys before it gives up, so that one run reports all problems.

use super::connections;
use crate::defaults::OPEN_CONNECTIONS;
use crate::model::{PhaseKind, RateStep, ScheduleSpec, TimeUnit};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;
use tacho_fields::Fields;
use tacho_fields::Place;
use tacho_fields::{Node, Value};
use tacho_quantity::{
    Count, Factor, PositiveDuration, QuantityError, Rate, RateOrNone, nearest, suggestion,
};

fn scheduled(schedule: ScheduleSpec, connections: u32) -> Option<PhaseKind> {
    Some(PhaseKind::Scheduled {
        schedule,
        connections,
    })
}

/// The keys that nearly all of them have.
fn length_and_connections(f: &mut Fields<'_>) -> (Option<f64>, u32) {
    let duration = f.required::<PositiveDuration>("duration", "30s");
    let connections = connections(f, OPEN_CONNECTIONS);
    (duration.map(|length| length.as_secs_f64()), connections)
}

pub(super) fn ramp(f: &mut Fields<'_>) -> Option<PhaseKind> {
    let from = f.required::<RateOrNone>("from", "100/s");
    let to = f.required_placed::<RateOrNone>("to", "1000/s");
    let (duration_s, connections) = length_and_connections(f);
    let (from, (place, to)) = (from?, to?);
    if from.0 == 0.0 && to.0 == 0.0 {
        f.problems.add(
            place,
            "a ramp from 0 to 0 sends nothing; raise `to`, or write `rest` instead",
        );
        return None;
    }
    let schedule = ScheduleSpec::Ramp {
        from_rate: from.0,
        to_rate: to.0,
        duration_s: duration_s?,
    };
    scheduled(schedule, connections)
}

/// `{rates: [100, 200, 400], each: 10s}`; `each` may be a list as long as the other.
pub(super) fn steps(f: &mut Fields<'_>) -> Option<PhaseKind> {
    let rates = f.required_node("rates", "[100, 200, 400]");
    let each = f.required_node("each", "10s");
    let connections = connections(f, OPEN_CONNECTIONS);
    let rates = rates.and_then(|node| list::<RateOrNone>(node, "rates", f));
    let each_place = each.as_ref().map_or(f.place, |node| node.place);
    let is_for_all = each
        .as_ref()
        .is_some_and(|node| matches!(node.value, Value::Text(_)));
    let each = each.and_then(|node| list::<PositiveDuration>(node, "each", f));
    let (rates, mut each) = (rates?, each?);
    if rates.iter().all(|rate| rate.0 == 0.0) {
        f.problems.add(
            f.place,
            "these steps send nothing; give at least one rate above 0, for example `rates: [100, 200, 400]`",
        );
        return None;
    }
    if is_for_all {
        each.resize(rates.len(), *each.first()?);
    }
    if rates.len() != each.len() {
        f.problems.add(
            each_place,
            format!(
                "`each` holds {} for {} rates; write one duration for all, or one for each",
                each.len(),
                rates.len()
            ),
        );
        return None;
    }
    let steps = rates.iter().zip(&each).map(|(rate, each)| RateStep {
        rate: rate.0,
        duration_s: each.as_secs_f64(),
    });
    let schedule = ScheduleSpec::Steps {
        steps: steps.collect(),
    };
    scheduled(schedule, connections)
}

/// All of them, or none when one is wrong; a single one is a list of one.
fn list<T: FromStr<Err = QuantityError>>(node: Node, key: &str, f: &Fields<'_>) -> Option<Vec<T>> {
    let items = node.into_list().unwrap_or_else(|node| vec![node]);
    let count = items.len();
    let read: Vec<T> = items
        .into_iter()
        .filter_map(|item| f.quantity_of(item, key).map(|(_, value)| value))
        .collect();
    (read.len() == count).then_some(read)
}

pub(super) fn sine(f: &mut Fields<'_>) -> Option<PhaseKind> {
    let mean = f.required::<Rate>("mean", "500/s");
    let amplitude = f.required_placed::<RateOrNone>("amplitude", "300/s");
    let period = f.required::<PositiveDuration>("period", "60s");
    let (duration_s, connections) = length_and_connections(f);
    let (mean, (place, amplitude)) = (mean?, amplitude?);
    if amplitude.0 > mean.0 {
        f.problems.add(
            place,
            format!(
                "`amplitude` may be at most the mean, since no rate is below 0; write {}/s or less",
                mean.0
            ),
        );
        return None;
    }
    let schedule = ScheduleSpec::Sine {
        mean_rate: mean.0,
        amplitude: amplitude.0,
        period_s: period?.as_secs_f64(),
        duration_s: duration_s?,
    };
    scheduled(schedule, connections)
}

pub(super) fn poisson(f: &mut Fields<'_>, default_seed: u64) -> Option<PhaseKind> {
    let rate = f.required::<Rate>("rate", "500/s");
    let (duration_s, connections) = length_and_connections(f);
    let seed = super::super::read_seed(f).unwrap_or(default_seed);
    let schedule = ScheduleSpec::Poisson {
        rate: rate?.0,
        duration_s: duration_s?,
        seed,
    };
    scheduled(schedule, connections)
}

/// `{requests: 200, rest: 9s, duration: 60s}`: all requests at once, or spread over a time with
/// `over: 1s`. With `over`, `rate: 200/s` may stand in place of `requests`.
pub(super) fn burst(f: &mut Fields<'_>) -> Option<PhaseKind> {
    let has_over = f.has("over");
    let is_one_of_both = f.has("requests") != f.has("rate");
    let requests = f.quantity::<Count>("requests");
    let rate = f.placed::<Rate>("rate");
    let over = f.duration("over");
    let rest = f.required_placed::<tacho_quantity::Duration>("rest", "9s");
    let (duration_s, connections) = length_and_connections(f);
    if !is_one_of_both {
        f.problems.add(
            f.place,
            "a phase of bursts needs the size of a burst: either `requests: 200`, or `rate: 200/s` with `over: 1s`",
        );
        return None;
    }
    if has_over && over.is_none() {
        return None;
    }
    let over = over.unwrap_or_default();
    let requests = match (requests, rate) {
        (Some(requests), _) => requests.0,
        (None, Some((place, rate))) => in_a_burst(rate, over, place, f)?,
        (None, None) => return None,
    };
    let (place, rest) = rest?;
    if rest.is_zero() && over.is_zero() {
        f.problems.add(
            place,
            "bursts that take no time need a rest between them; write `rest` or `over` above 0",
        );
        return None;
    }
    let schedule = ScheduleSpec::Burst {
        requests,
        over_s: over.as_secs_f64(),
        rest_s: rest.as_secs_f64(),
        duration_s: duration_s?,
    };
    scheduled(schedule, connections)
}

fn in_a_burst(rate: Rate, over: Duration, place: Place, f: &Fields<'_>) -> Option<u64> {
    let requests = rate.0 * over.as_secs_f64();
    let whole = requests.round();
    // Decimal fractions are rounded in binary; such a rounding error is no fraction of a request.
    if whole >= 1.0 && (requests - whole).abs() < 1e-6 {
        return Some(whole as u64);
    }
    let problem = if over.is_zero() {
        "`rate` needs the time of a burst beside it, for example `over: 1s`; or write `requests`"
            .to_owned()
    } else {
        format!(
            "`rate` times `over` is {requests} requests in a burst; write a whole number of them as `requests`"
        )
    };
    f.problems.add(place, problem);
    None
}

pub(super) fn replay(f: &mut Fields<'_>, folder: &Path) -> Option<PhaseKind> {
    let file = f.required_node("file", "instants.csv");
    let file = file.and_then(|node| read_file(node, folder, f));
    let speed = f.quantity::<Factor>("speed");
    let column = f.text("column").map(|(_, column)| column);
    let unit = read_unit(f);
    let connections = connections(f, OPEN_CONNECTIONS);
    let schedule = ScheduleSpec::Replay {
        file: file?,
        speed: speed.map_or(1.0, |factor| factor.0),
        column,
        unit,
    };
    scheduled(schedule, connections)
}

fn read_file(node: Node, folder: &Path, f: &Fields<'_>) -> Option<String> {
    let (place, name) = f.text_of(node, "file")?;
    let path = folder.join(&name);
    let problem = match (tacho_files::input::open(&path), path.to_str()) {
        (Ok(_), Some(path)) => return Some(path.to_owned()),
        (Ok(_), None) => "its folder's name is no UTF-8; move it".to_owned(),
        (Err(error), _) => error.to_string(),
    };
    f.problems
        .add(place, format!("`{name}` cannot be read: {problem}"));
    None
}

fn read_unit(f: &mut Fields<'_>) -> Option<TimeUnit> {
    const UNITS: [(&str, TimeUnit); 4] = [
        ("s", TimeUnit::S),
        ("ms", TimeUnit::Ms),
        ("us", TimeUnit::Us),
        ("ns", TimeUnit::Ns),
    ];
    let (place, word) = f.text("unit")?;
    let unit = UNITS.into_iter().find(|(name, _)| *name == word);
    if unit.is_none() {
        let hint = suggestion(&nearest(&word, UNITS.map(|(name, _)| name)));
        f.problems.add(
            place,
            format!("`unit` must be s, ms, us or ns, not `{word}`{hint}"),
        );
    }
    unit.map(|(_, unit)| unit)
}

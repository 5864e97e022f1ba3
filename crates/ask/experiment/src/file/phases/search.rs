//! The search for the highest rate at which an objective holds.

use super::connections;
use crate::defaults::{CONFIRMATIONS, OPEN_CONNECTIONS, TOLERANCE, TRIAL_REST_S, TRIAL_S};
use crate::model::{Objective, PhaseKind, SearchSpec};
use tacho_fields::Fields;
use tacho_fields::Place;
use tacho_fields::{Node, Value};
use tacho_quantity::{Count, PositiveDuration, Rate, Share};

pub(super) fn read(f: &mut Fields<'_>) -> Option<PhaseKind> {
    let objective = f
        .required_node("objective", "'p99<50ms'")
        .and_then(|node| read_objective(node, f));
    let from = f.required::<Rate>("from", "100/s");
    let to = f.required_placed::<Rate>("to", "20000/s");
    let trial_s = f
        .quantity::<PositiveDuration>("trial")
        .map_or(TRIAL_S, |t| t.as_secs_f64());
    let rest_s = f
        .duration("rest")
        .map_or(TRIAL_REST_S, |rest| rest.as_secs_f64());
    let tolerance = f.placed::<Share>("tolerance");
    let confirmations = f.placed::<Count>("confirmations");
    let connections = connections(f, OPEN_CONNECTIONS);
    let tolerance = match tolerance {
        Some((place, Share(tolerance))) if tolerance < 0.001 => {
            f.problems.add(
                place,
                "`tolerance` below 0.1% is finer than trials can tell; write 0.1% or more, such as 5%",
            );
            None
        }
        other => Some(other.map_or(TOLERANCE, |(_, tolerance)| tolerance.0)),
    };
    let confirmations = match confirmations {
        Some((place, Count(count))) if count > 20 => {
            f.problems.add(
                place,
                format!("`confirmations` must be between 1 and 20, not {count}; 3 are usual"),
            );
            None
        }
        other => Some(other.map_or(CONFIRMATIONS, |(_, count)| count.0 as u32)),
    };
    let (from, (place, to)) = (from?, to?);
    if to.0 <= from.0 {
        f.problems.add(
            place,
            format!(
                "`to` must be above `from`, the lowest rate of the search; write more than {}/s",
                from.0
            ),
        );
        return None;
    }
    Some(PhaseKind::Search(SearchSpec {
        objective: objective?,
        from_rate: from.0,
        to_rate: to.0,
        trial_s,
        rest_s,
        tolerance: tolerance?,
        confirmations: confirmations?,
        connections,
    }))
}

/// `'p99<50ms, errors<0.1%'`, or a list of such bounds.
fn read_objective(node: Node, f: &Fields<'_>) -> Option<Objective> {
    let (place, text) = objective_text(node, f)?;
    match text.parse() {
        Ok(objective) => Some(objective),
        Err(error) => {
            f.problems
                .add(place, format!("`objective`: {}", error.problem));
            None
        }
    }
}

fn objective_text(node: Node, f: &Fields<'_>) -> Option<(Place, String)> {
    let place = node.place;
    let Value::List(items) = node.value else {
        return f.text_of(node, "objective");
    };
    let bounds: Option<Vec<String>> = items
        .into_iter()
        .map(|item| f.text_of(item, "objective").map(|(_, bound)| bound))
        .collect();
    Some((place, bounds?.join(", ")))
}

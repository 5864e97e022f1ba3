//! Outcomes and figures in words.

use crate::Counts;
use tacho_claims::{Judged, Outcome, Seen};
use tacho_figures as figures;

/// The outcome.
pub fn outcome(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Same => "same",
        Outcome::Differs => "differs",
        Outcome::NotTold => "not told",
        Outcome::NotMeasured(_) => "not measured",
    }
}

/// `×0.018 (0.015–0.022), 5 launches, certificate valid`; why there is nothing, else.
pub fn seen(claim: &Judged) -> String {
    let why = match &claim.outcome {
        Outcome::NotMeasured(why) => why.as_str(),
        _ => "",
    };
    match &claim.seen {
        Some(seen) if why.is_empty() => figure(seen),
        Some(seen) => format!("{}; {why}", figure(seen)),
        None => why.to_owned(),
    }
}

fn figure(seen: &Seen) -> String {
    let (value, interval) = if seen.is_ratio {
        let interval = figures::ratio_interval(&seen.figure);
        (figures::ratio(seen.figure.value), Some(interval))
    } else {
        let value = figures::value(seen.figure.value, &seen.unit);
        (value, figures::interval(&seen.figure, &seen.unit))
    };
    let is_exact = seen.figure.low.to_bits() == seen.figure.high.to_bits();
    let interval = interval.filter(|_| !is_exact);
    let interval = interval.map_or_else(String::new, |interval| format!(" ({interval})"));
    if seen.launches <= 1 {
        return format!("{value}{interval}");
    }
    let launches = figures::launches(seen.launches);
    let certificate = match seen.certificate {
        Some(state) => tacho_report::words::certificate(state),
        None => "no certificate",
    };
    format!("{value}{interval}, {launches}, {certificate}")
}

/// How many rows came out in which way.
pub fn counts(counts: &Counts) -> String {
    let parts = [
        (counts.same, "the same here"),
        (counts.differs, "not the same"),
        (counts.not_told, "not told by these launches"),
        (counts.not_measured, "not measured"),
    ];
    let parts = parts.iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> = parts
        .map(|(number, words)| format!("{number} {words}"))
        .collect();
    let all = counts.same + counts.differs + counts.not_told + counts.not_measured;
    let otherwise = match counts.contradictions {
        0 => String::new(),
        1 => ". One is otherwise than the file expects".to_owned(),
        many => format!(". {many} are otherwise than their files expect"),
    };
    let claims = if all == 1 { "claim" } else { "claims" };
    format!("Of {all} {claims}: {}{otherwise}.", parts.join(", "))
}

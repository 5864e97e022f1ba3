//! Reading an objective, with the place of every mistake.

use super::{
    Metric, Number, Objective, ObjectiveError, ObjectiveProblem, Operator, Part, Statistic, Time,
};
use crate::Slip;
use std::time::Duration;

pub(super) fn parse(text: &str) -> Result<Objective, ObjectiveError> {
    let text = text.trim();
    let all = Part::of(text, 0, text.len());
    let operator_at = text
        .find(['<', '>'])
        .ok_or_else(|| all.error(ObjectiveProblem::NoOperator))?;
    let (operator, width) = Operator::read(&text[operator_at..]);
    let (left, right) = all.split(operator_at, width);
    let (left, request) = split_request(left)?;
    let (cells_before, left) = match left.text().rfind(':') {
        Some(at) => {
            let (cells, left) = left.split(at, 1);
            (Some(named(cells)?), left)
        }
        None => (None, left),
    };
    let (phase, word) = split_phase(left)?;
    let metric = metric(word)?;
    let (right, cells_after) = match right.text().find('@') {
        Some(at) => {
            let (right, cells) = right.split(at, 1);
            (right, Some(named(cells)?))
        }
        None => (right, None),
    };
    let number = Number::read(right.text()).map_err(|slip| match slip {
        Slip::NoNumber => {
            let digits = |c: char| c.is_ascii_digit() || c == '.';
            let end = right.text().find(|c| !digits(c));
            let (number, _) = right.split(end.unwrap_or(right.text().len()), 0);
            number.error(ObjectiveProblem::NoNumber)
        }
        slip => right.error(ObjectiveProblem::BadNumber { slip }),
    })?;
    let (bound, window) = split_window(right, number.length)?;
    let (_, unit) = bound.split(number.length, 0);
    Ok(Objective {
        cells: cells_after.or(cells_before).map(|part| part.range()),
        phase: phase.map(|part| part.range()),
        word: word.range(),
        metric,
        request: request.map(|part| part.range()),
        operator,
        bound: bound.range(),
        number: number.value,
        unit: unit.range(),
        window: window.map(length).transpose()?,
        text: text.to_owned(),
    })
}

/// Splits `p99 of login`. The word `of` must have spaces around it, because names may contain any
/// letters.
fn split_request(left: Part<'_>) -> Result<(Part<'_>, Option<Part<'_>>), ObjectiveError> {
    let text = left.text();
    for (at, word) in text.match_indices("of") {
        if text[..at].ends_with(char::is_whitespace) {
            let after = at + word.len();
            if after == text.len() {
                return Err(left.error(ObjectiveProblem::NoRequest));
            }
            if text[after..].starts_with(char::is_whitespace) {
                let (metric, request) = left.split(at, word.len());
                return Ok((metric, Some(request)));
            }
        }
    }
    Ok((left, None))
}

fn named(cells: Part<'_>) -> Result<Part<'_>, ObjectiveError> {
    if cells.text().is_empty() {
        return Err(cells.error(ObjectiveProblem::NoCells));
    }
    Ok(cells)
}

/// Splits `p99`, `ramp.p99.9`, and phases with points in their names. A metric begins with a
/// letter, while what follows the point of `p99.9` does not.
fn split_phase(left: Part<'_>) -> Result<(Option<Part<'_>>, Part<'_>), ObjectiveError> {
    let text = left.text();
    let begins = |at: usize| {
        let word = text[at + 1..].trim_start();
        word.starts_with(|c: char| !c.is_ascii_digit() && c != '.')
    };
    let mut points = text.rmatch_indices('.').map(|(at, _)| at);
    let Some(at) = points.find(|at| begins(*at)) else {
        return match text {
            "" => Err(left.error(ObjectiveProblem::NoMetric)),
            _ => Ok((None, left)),
        };
    };
    match left.split(at, 1) {
        (phase, _) if phase.text().is_empty() => Err(left.error(ObjectiveProblem::NoPhase)),
        (_, word) if word.text().is_empty() => Err(word.error(ObjectiveProblem::NoMetric)),
        (phase, word) => Ok((Some(phase), word)),
    }
}

fn metric(part: Part<'_>) -> Result<Metric, ObjectiveError> {
    let word = part.text();
    match word {
        "rate" | "throughput" => return Ok(Metric::Rate),
        "errors" => return Ok(Metric::Errors),
        _ => {}
    }
    let prefixes = [
        ("response", Time::Response),
        ("service", Time::Service),
        ("dispatch", Time::Dispatch),
        ("lag", Time::Lag),
    ];
    let prefixed = prefixes.iter().find_map(|(name, time)| {
        let rest = word.strip_prefix(name)?.strip_prefix(['-', '_'])?;
        Some((*time, rest))
    });
    let (time, rest) = prefixed.unwrap_or((Time::Response, word));
    let statistic = match rest {
        "min" => Statistic::Min,
        "mean" => Statistic::Mean,
        "max" => Statistic::Max,
        _ => match quantile(rest) {
            Some(q) if q > 0.0 && q < 1.0 => Statistic::Quantile(q),
            Some(_) => {
                let word = word.to_owned();
                return Err(part.error(ObjectiveProblem::NoQuantile { word }));
            }
            None => return Ok(Metric::Word(word.to_owned())),
        },
    };
    Ok(Metric::Time(time, statistic))
}

/// 0.999 of `p99.9`.
fn quantile(word: &str) -> Option<f64> {
    let digits = word.strip_prefix('p')?;
    let is_number = digits.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    // Not computed as a division by 100: 99.9 / 100 is a little more than 0.999, which may change
    // the rank by one.
    is_number.then(|| format!("{digits}e-2").parse().ok())?
}

/// `50ms over every 10s`: the quantity and the length.
fn split_window(
    right: Part<'_>,
    number_length: usize,
) -> Result<(Part<'_>, Option<Part<'_>>), ObjectiveError> {
    let Some(at) = right.text()[number_length..].find("over") else {
        return Ok((right, None));
    };
    let (quantity, over) = right.split(number_length + at, 0);
    let mut words = over.text().splitn(3, char::is_whitespace);
    match (words.next(), words.next(), words.next()) {
        (Some("over"), Some("every" | "any" | "each"), Some(length)) => {
            let length_at = over.text().len() - length.len();
            Ok((quantity, Some(over.split(length_at, 0).1)))
        }
        _ => Err(over.error(ObjectiveProblem::NoWindow {
            found: over.text().to_owned(),
        })),
    }
}

/// Whole seconds, because that is what is recorded.
fn length(part: Part<'_>) -> Result<Duration, ObjectiveError> {
    match part.text().parse::<crate::PositiveDuration>() {
        Ok(length) if length.0.subsec_nanos() == 0 => Ok(length.0),
        _ => Err(part.error(ObjectiveProblem::WindowLength {
            found: part.text().to_owned(),
        })),
    }
}

/// Splits a list at the commas that follow an operator's bound and are not part of its number.
pub(super) fn split(list: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = list;
    while let Some(at) = rest.find(['<', '>']) {
        let bound_at = at + Operator::read(&rest[at..]).1;
        let bound = rest[bound_at..].trim_start();
        let number_at = rest.len() - bound.len();
        let after_number = number_at + Number::read(bound).map_or(0, |number| number.length);
        let Some(comma) = rest[after_number..].find(',') else {
            break;
        };
        found.push(rest[..after_number + comma].trim());
        rest = &rest[after_number + comma + 1..];
    }
    found.push(rest.trim());
    found
}

//! Reading a check, with the place of every mistake.

use super::{Check, CheckError, CheckProblem, Metric, Statistic, Time};
use tacho_analysis::check::{
    Comparison, Part, RATES, TIMES, Unit, Written, digits_end, nearest, phases_and_metrics,
};
use tacho_load::recorder::MOST_KINDS;

const METRICS: &[&str] = &[
    "p50",
    "p90",
    "p95",
    "p99",
    "p99.9",
    "min",
    "mean",
    "max",
    "rate",
    "errors",
    "service-p99",
    "dispatch-p99",
    "lag-p99",
];

const PER_CENT: Unit = Unit {
    name: "%",
    size: 0.01,
};
const COUNT: Unit = Unit {
    name: "",
    size: 1.0,
};

/// The words that people use most, for suggestions.
pub fn metrics() -> Vec<String> {
    METRICS.iter().map(|word| (*word).to_owned()).collect()
}

pub fn parse(text: &str) -> Result<Check, CheckError> {
    let Comparison {
        left,
        operator,
        right,
    } = Comparison::of(text).map_err(|all| all.error(CheckProblem::NoOperator))?;
    let (left, kind) = split_kind(left)?;
    let (phase, metric) = metric(left)?;
    if let (Some(kind), Metric::Time(Time::Dispatch | Time::Lag, _)) = (kind, metric) {
        return Err(kind.error(CheckProblem::NotByKind {
            metric: left.text().to_owned(),
            kind: kind.text().to_owned(),
        }));
    }
    let (quantity, window) = split_window(right)?;
    let (metric, bound, unit) = bound(quantity, metric, left)?;
    Ok(Check {
        text: text.to_owned(),
        phase: phase.map(|p| p.text().to_owned()),
        metric,
        kind: kind.map(|k| k.text().to_owned()),
        operator,
        bound,
        unit,
        every_s: window.map(length).transpose()?,
    })
}

/// `p99 of login`. The words are looked for with spaces around them, because names hold anything.
fn split_kind(left: Part<'_>) -> Result<(Part<'_>, Option<Part<'_>>), CheckError> {
    if let Some(at) = left.text().find(" of ") {
        let (metric, kind) = left.split(at, 4);
        return Ok((metric, Some(kind)));
    }
    if left.text().ends_with(" of") {
        return Err(left.error(CheckProblem::NoKind));
    }
    Ok((left, None))
}

/// `p99`, `ramp.p99.9`, and phases with points in their own names.
fn metric(left: Part<'_>) -> Result<(Option<Part<'_>>, Metric), CheckError> {
    let text = left.text();
    if text.is_empty() {
        return Err(left.error(CheckProblem::NoMetric));
    }
    let mut problem = match metric_of_word(text) {
        Ok(metric) => return Ok((None, metric)),
        Err(problem) => left.error(problem),
    };
    for (phase, word) in phases_and_metrics(left) {
        match metric_of_word(word.text()) {
            Ok(metric) => return Ok((Some(phase), metric)),
            // `ramp.p101`: what is wrong is behind the point.
            Err(p @ CheckProblem::NoQuantile { .. }) => problem = word.error(p),
            Err(_) => {}
        }
    }
    Err(problem)
}

fn metric_of_word(word: &str) -> Result<Metric, CheckProblem> {
    match word {
        "rate" | "throughput" => return Ok(Metric::Rate),
        "errors" => return Ok(Metric::ErrorShare),
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
        _ => quantile(word, rest)?,
    };
    Ok(Metric::Time(time, statistic))
}

fn quantile(word: &str, rest: &str) -> Result<Statistic, CheckProblem> {
    let unknown = || CheckProblem::UnknownMetric {
        word: word.to_owned(),
        nearest: nearest(word, METRICS.iter().copied()),
    };
    let digits = rest.strip_prefix('p').ok_or_else(unknown)?;
    if digits.is_empty() || digits.contains(|c: char| !c.is_ascii_digit() && c != '.') {
        return Err(unknown());
    }
    // Not divided by 100: 99.9 / 100 is a little more than 0.999, and that little is a rank.
    let quantile: f64 = format!("{digits}e-2").parse().map_err(|_| unknown())?;
    if quantile > 0.0 && quantile < 1.0 {
        Ok(Statistic::Quantile(quantile))
    } else {
        Err(CheckProblem::NoQuantile {
            word: word.to_owned(),
        })
    }
}

/// `50ms over every 10s`: the quantity and the length.
fn split_window(right: Part<'_>) -> Result<(Part<'_>, Option<Part<'_>>), CheckError> {
    let number_end = digits_end(right.text());
    let behind_number = &right.text()[number_end..];
    let Some(at) = behind_number.find("over") else {
        return Ok((right, None));
    };
    let (quantity, over) = right.split(number_end + at, 0);
    let mut words = over.text().splitn(3, char::is_whitespace);
    match (words.next(), words.next(), words.next()) {
        (Some("over"), Some(every @ ("every" | "any" | "each")), Some(_)) => {
            let length_at = "over ".len() + every.len();
            Ok((quantity, Some(over.split(length_at, 1).1)))
        }
        _ => Err(over.error(CheckProblem::NoWindow {
            found: over.text().to_owned(),
        })),
    }
}

/// In seconds; whole ones, because that is what is recorded.
fn length(part: Part<'_>) -> Result<f64, CheckError> {
    let wrong = || {
        part.error(CheckProblem::WindowLength {
            found: part.text().to_owned(),
        })
    };
    let text = part.text();
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let number: u32 = text[..end].parse().map_err(|_| wrong())?;
    let seconds = match text[end..].trim() {
        "s" => number,
        "min" | "m" => number.saturating_mul(60),
        _ => return Err(wrong()),
    };
    if seconds == 0 {
        return Err(wrong());
    }
    Ok(seconds.into())
}

fn bound(
    part: Part<'_>,
    metric: Metric,
    word: Part<'_>,
) -> Result<(Metric, f64, &'static Unit), CheckError> {
    let Written {
        value,
        number,
        unit,
    } = Written::of(part).map_err(|number| number.error(CheckProblem::NoNumber))?;
    let wrong = |expected| {
        unit.error(CheckProblem::WrongUnit {
            metric: word.text().to_owned(),
            expected,
        })
    };
    let named = |units: &'static [Unit]| units.iter().find(|u| u.name == unit.text());
    match metric {
        Metric::Time(..) => match named(TIMES) {
            Some(unit) => Ok((metric, value, unit)),
            None => Err(wrong("`us`, `ms` or `s`")),
        },
        Metric::Rate => match named(RATES) {
            Some(unit) => Ok((metric, value, unit)),
            None => Err(wrong("`/s`")),
        },
        Metric::ErrorShare | Metric::ErrorCount => match unit.text() {
            "%" => Ok((Metric::ErrorShare, value, &PER_CENT)),
            "" if value.fract() == 0.0 => Ok((Metric::ErrorCount, value, &COUNT)),
            "" => Err(number.error(CheckProblem::FractionOfErrors {
                found: number.text().to_owned(),
                percent: tacho_analysis::words::digits(value * 100.0),
            })),
            _ => Err(wrong("`%` for a share, or none for a count")),
        },
    }
}

/// Names of phases and requests can only be looked up once the run is known.
pub fn fits(
    check: &Check,
    phases: &[String],
    requests: Option<&[String]>,
) -> Result<(), CheckError> {
    let place_of = |word: &str| Part::word(&check.text, word);
    let names = |all: &[String]| all.iter().take(8).cloned().collect::<Vec<_>>();
    if let Some(phase) = &check.phase
        && !phases.contains(phase)
    {
        return Err(place_of(phase).error(CheckProblem::UnknownPhase {
            word: phase.clone(),
            nearest: nearest(phase, phases.iter().map(String::as_str)),
            known: names(phases),
        }));
    }
    if let (Some(kind), Some(requests)) = (&check.kind, requests) {
        match requests.iter().position(|name| name == kind) {
            Some(index) if index >= MOST_KINDS => {
                return Err(place_of(kind).error(CheckProblem::KindNotKept { word: kind.clone() }));
            }
            Some(_) => {}
            None => {
                return Err(place_of(kind).error(CheckProblem::UnknownKind {
                    word: kind.clone(),
                    nearest: nearest(kind, requests.iter().map(String::as_str)),
                    known: names(requests),
                }));
            }
        }
    }
    Ok(())
}

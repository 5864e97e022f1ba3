//! Bars and cells made of measurements.

use super::{Bar, Verdict, bar};
use crate::rounds::Spread;

/// Met when the median is not above the bar.
pub fn at_most(what: &str, limit: f64, unit: &str, seen: Option<Spread>) -> Bar {
    judge(what, "at most", limit, unit, seen, |median| median <= limit)
}

/// Met when the median is not below the bar.
pub fn at_least(what: &str, limit: f64, unit: &str, seen: Option<Spread>) -> Bar {
    judge(what, "at least", limit, unit, seen, |median| {
        median >= limit
    })
}

/// Met when the median is not above the bar; both are fractions.
pub fn at_most_percent(what: &str, limit: f64, seen: Spread) -> Bar {
    at_most(what, limit * 100.0, "%", Some(scaled(seen, 100.0)))
}

fn judge(
    what: &str,
    direction: &str,
    limit: f64,
    unit: &str,
    seen: Option<Spread>,
    is_met: impl Fn(f64) -> bool,
) -> Bar {
    let limit = format!("{direction} {limit} {unit}");
    match seen {
        Some(spread) => bar(
            what,
            &limit,
            &format!("{} {unit}", with_extremes(spread)),
            Verdict::of(is_met(spread.median)),
        ),
        None => bar(
            what,
            &limit,
            "",
            Verdict::NotMeasured("nothing was measured".to_owned()),
        ),
    }
}

/// A ratio as a cell.
pub fn ratio(seen: Option<Spread>) -> String {
    seen.map_or_else(|| "-".to_owned(), with_extremes)
}

/// A fraction as a cell, with its sign.
pub fn percent(seen: Option<Spread>) -> String {
    let Some(Spread { median, min, max }) = seen.map(|spread| scaled(spread, 100.0)) else {
        return "-".to_owned();
    };
    if min == max {
        format!("{median:+.2} %")
    } else {
        format!("{median:+.2} % ({min:+.2} to {max:+.2})")
    }
}

fn with_extremes(Spread { median, min, max }: Spread) -> String {
    if min == max {
        format!("{median:.2}")
    } else {
        format!("{median:.2} ({min:.2} to {max:.2})")
    }
}

fn scaled(spread: Spread, factor: f64) -> Spread {
    Spread {
        median: spread.median * factor,
        min: spread.min * factor,
        max: spread.max * factor,
    }
}

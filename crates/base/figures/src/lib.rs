//! Numbers as people read them. All printed numbers are formatted here, so that a sentence and the
//! table beside it never differ.
//!
//! | what | digits | why |
//! |---|---|---|
//! | [`value`]: times, sizes, rates, numbers | three, in the unit that keeps them short | launches differ in the third digit |
//! | [`interval`] | the unit and the decimals of its estimate | both are compared at a glance |
//! | [`ratio`] | three, and two decimals where it is whole | they say how exact it is |
//! | [`percent`] | whole from 10 % on, one decimal from 0.1 % on, then three or more | what failed is never `0 %` |
//! | [`count`] | all, in groups of three | it was counted |
//! | [`requests`] | three | no estimate has more |
//! | [`often`], a request | whole, or three decimals | code runs a whole number of times |
//! | [`waiting`] | two, in the unit in which people wait | nobody waits more exactly |
//!
//! A whole number has no decimals. `examples.json` checks that this crate and `web/src/units.ts`,
//! which draws the charts, print the same text.
//!
//! Not formatted here: columns under one unit (`tacho memory`, `trace`, `exceptions`, `classes`,
//! the self-test), whose decimals stand below each other, and numbers that programs read.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

use std::borrow::Borrow;
use tacho_run_folder::Interval;

const KIB: f64 = 1024.0;

/// The unit and the decimals with which a value, and the values beside it, are printed.
#[derive(Debug, Clone, Copy)]
struct Scale {
    per_unit: f64,
    suffix: &'static str,
    decimals: usize,
}

impl Scale {
    /// The scale that shows `value`, given in the unit of a metric, with three digits.
    fn of(value: f64, unit: &str) -> Self {
        let (per_unit, suffix) = match unit {
            "ns" => match value.abs() {
                ns if ns < 999.5 => (1.0, " ns"),
                ns if ns < 999.5e3 => (1e3, " µs"),
                ns => scaled(time(ns / 1e6), 1e6),
            },
            "ms" => time(value),
            "s" => scaled(time(value * 1e3), 1e-3),
            "bytes" => size(value),
            "1/s" | "/s" => (1.0, "/s"),
            "cpu-s" => (1.0, " CPU s"),
            _ => (1.0, ""),
        };
        Self {
            per_unit,
            suffix,
            decimals: decimals(value / per_unit),
        }
    }

    fn number(&self, value: f64) -> String {
        grouped(value / self.per_unit, self.decimals)
    }
}

/// Milliseconds up to a second, seconds beyond. The bound is where rounding to three
/// digits would give four.
fn time(ms: f64) -> (f64, &'static str) {
    if ms.abs() < 999.5 {
        (1.0, " ms")
    } else {
        (1e3, " s")
    }
}

fn scaled((per_unit, suffix): (f64, &'static str), by: f64) -> (f64, &'static str) {
    (per_unit * by, suffix)
}

fn size(bytes: f64) -> (f64, &'static str) {
    let mut unit = (1.0, " B");
    for (per_unit, suffix) in [
        (KIB, " KiB"),
        (KIB * KIB, " MiB"),
        (KIB * KIB * KIB, " GiB"),
    ] {
        if bytes.abs() >= 0.9995 * per_unit {
            unit = (per_unit, suffix);
        }
    }
    unit
}

/// Decimals that make three significant digits; none are needed for whole numbers.
fn decimals(value: f64) -> usize {
    let size = value.abs();
    if size.fract() == 0.0 || size >= 99.95 {
        0
    } else if size >= 9.995 {
        1
    } else if size >= 0.0995 {
        2
    } else {
        3
    }
}

/// A number with a comma between thousands.
fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut grouped = String::new();
    if value < 0.0 && text.bytes().any(|b| b.is_ascii_digit() && b != b'0') {
        grouped.push('-');
    }
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    if !fraction.is_empty() {
        grouped.push('.');
        grouped.push_str(fraction);
    }
    grouped
}

/// A value in the unit of its metric: `1.23 s`, `456 ms`, `182 MiB`, `12,345/s`.
#[must_use]
pub fn value(value: f64, unit: &str) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let scale = Scale::of(value, unit);
    scale.number(value) + scale.suffix
}

/// [`value`] of milliseconds.
#[must_use]
pub fn ms(ms: f64) -> String {
    value(ms, "ms")
}

/// [`value`] of seconds.
#[must_use]
pub fn seconds(s: f64) -> String {
    value(s, "s")
}

/// [`value`] of bytes.
#[must_use]
pub fn bytes(bytes: f64) -> String {
    value(bytes, "bytes")
}

/// [`value`] of a number without a unit.
#[must_use]
pub fn number(number: f64) -> String {
    value(number, "1")
}

/// The ends of an interval, in the unit and with the decimals of its estimate: `1.19–1.31`. `None`
/// when both ends are printed alike, as for sizes on disk.
#[must_use]
pub fn interval(estimate: &Interval, unit: &str) -> Option<String> {
    if !(estimate.low.is_finite() && estimate.high.is_finite()) {
        return None;
    }
    let scale = Scale::of(estimate.value, unit);
    let (low, high) = (scale.number(estimate.low), scale.number(estimate.high));
    (low != high).then(|| format!("{low}–{high}"))
}

/// A ratio: `×0.45`, `×12.3`.
#[must_use]
pub fn ratio(ratio: f64) -> String {
    if !ratio.is_finite() {
        return "×–".to_owned();
    }
    format!("×{}", factor(ratio))
}

/// The ends of a ratio's interval: `0.41–0.49`.
#[must_use]
pub fn ratio_interval(ratio: &Interval) -> String {
    format!("{}–{}", factor(ratio.low), factor(ratio.high))
}

/// The number of a [`ratio`]. Unlike a value, a ratio of 1 or 2 keeps its decimals.
#[must_use]
pub fn factor(ratio: f64) -> String {
    let decimals = if ratio.fract() == 0.0 && ratio < 99.95 {
        2
    } else {
        decimals(ratio)
    };
    grouped(ratio, decimals)
}

/// A count with commas: `100,000`.
#[must_use]
pub fn count(count: u64) -> String {
    grouped(count as f64, 0)
}

/// A count with the words for it. `one` is the singular: `1 launch`, `3 launches`.
#[must_use]
pub fn counted(number: u64, one: &str, many: &str) -> String {
    match number {
        1 => one.to_owned(),
        n => format!("{} {many}", count(n)),
    }
}

/// Names joined as in a sentence: `a`, `a and b`, `a, b and c`.
#[must_use]
pub fn listed(names: &[impl Borrow<str>]) -> String {
    match names {
        [] => String::new(),
        [one] => one.borrow().to_owned(),
        [others @ .., last] => format!("{} and {}", others.join(", "), last.borrow()),
    }
}

/// The text with an upper-case first letter.
#[must_use]
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// `1 launch`, `3 launches`.
#[must_use]
pub fn launches(number: usize) -> String {
    counted(number as u64, "1 launch", "launches")
}

/// How often a request does something: `4`, `1,024`, `0.333`.
#[must_use]
pub fn often(times: f64) -> String {
    if (times - times.round()).abs() < 1e-9 {
        count(times.round().max(0.0) as u64)
    } else {
        grouped(times, 3)
    }
}

/// `once`, `4 times`.
#[must_use]
pub fn times(times: f64) -> String {
    if (times - 1.0).abs() < 0.005 {
        "once".to_owned()
    } else {
        format!("{} times", often(times))
    }
}

/// A number of requests from an estimate, which has no more than three good digits: `12,300`.
#[must_use]
pub fn requests(requests: f64) -> String {
    if !requests.is_finite() {
        return "–".to_owned();
    }
    let magnitude = 10f64.powi(requests.abs().max(1.0).log10().floor() as i32 - 2);
    let rounded = if magnitude > 1.0 {
        (requests / magnitude).round() * magnitude
    } else {
        requests.round()
    };
    grouped(rounded, 0)
}

/// A fraction as per cent: `12 %`, `1.2 %`, `0.004 %`. What is not nothing does not become 0 %, and
/// what is not the whole does not become 100 %: `99.98 %`.
#[must_use]
pub fn percent(fraction: f64) -> String {
    if !fraction.is_finite() {
        return "–".to_owned();
    }
    let percent = fraction * 100.0;
    let decimals = match percent.abs() {
        p if (99.5..WHOLE).contains(&p) => (1..).find(|n| is_below_whole(p, *n)).unwrap_or(0),
        p if p == 0.0 || p >= 9.95 => 0,
        p if p >= 0.1 => 1,
        p if p >= 0.0005 => 3,
        // As many as show its first digit.
        p => (-p.log10()).ceil() as usize,
    };
    format!("{} %", grouped(percent, decimals).trim_end_matches(".0"))
}

/// Per cent from which a sum of parts is the whole, but for what is lost in adding them up.
const WHOLE: f64 = 100.0 - 1e-9;

/// With so many decimals it is printed as less than 100 %.
fn is_below_whole(percent: f64, decimals: usize) -> bool {
    let worth = 10f64.powi(i32::try_from(decimals).unwrap_or(i32::MAX));
    (percent * worth).round() < 100.0 * worth
}

/// A detectable difference of at least this is only said to be larger. JSON has no infinity, and "a
/// factor of eleven or more" tells nobody anything.
pub const LARGEST_EFFECT: f64 = 10.0;

/// A detectable difference: `12 %`; `over 1,000 %` from [`LARGEST_EFFECT`] on.
#[must_use]
pub fn effect(fraction: f64) -> String {
    let over = if fraction < LARGEST_EFFECT {
        ""
    } else {
        "over "
    };
    format!("{over}{}", percent(fraction))
}

/// How long somebody waits: `75 s`, `4.8 min`, `2.1 h`.
#[must_use]
pub fn waiting(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{} s", grouped(s, 0)),
        s if s < 6000.0 => format!("{} min", (s / 6.0).round() / 10.0),
        s => format!("{} h", (s / 360.0).round() / 10.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn the_charts_say_the_same() {
        let examples: BTreeMap<String, Vec<(f64, String)>> =
            serde_json::from_str(include_str!("../examples.json")).unwrap();
        assert_eq!(examples.len(), 3);
        for (what, examples) in examples {
            let printed = match what.as_str() {
                "milliseconds" => ms,
                "bytes" => bytes,
                "requests" => requests,
                other => panic!("{other} is no figure"),
            };
            for (number, text) in examples {
                assert_eq!(printed(number), text, "{number} as {what}");
            }
        }
    }

    #[test]
    fn three_digits_and_the_shortest_unit() {
        for (number, unit, text) in [
            (1234.0, "ms", "1.23 s"),
            (456.4, "ms", "456 ms"),
            (999.6, "ms", "1.00 s"),
            (4.567, "ms", "4.57 ms"),
            (0.0321, "ms", "0.032 ms"),
            (99.96, "ms", "100 ms"),
            (0.5, "s", "500 ms"),
            (61.2, "s", "61.2 s"),
            (640.0, "ns", "640 ns"),
            (12_345.0, "ns", "12.3 µs"),
            (999_600.0, "ns", "1.00 ms"),
            (2_345_678_900.0, "ns", "2.35 s"),
            (190_840_832.0, "bytes", "182 MiB"),
            (0.0, "bytes", "0 B"),
            (12_345.2, "1/s", "12,345/s"),
            (1_234_567.0, "1", "1,234,567"),
            (0.62, "1", "0.62"),
            (2.5, "cpu-s", "2.50 CPU s"),
            (f64::NAN, "ms", "–"),
        ] {
            assert_eq!(value(number, unit), text, "{number} {unit}");
        }
    }

    #[test]
    fn an_interval_takes_the_scale_of_its_estimate() {
        let estimate = Interval {
            value: 1234.0,
            low: 987.0,
            high: 1310.0,
        };
        assert_eq!(interval(&estimate, "ms").unwrap(), "0.99–1.31");
        let constant = Interval {
            value: 5e6,
            low: 5e6,
            high: 5e6,
        };
        assert_eq!(interval(&constant, "bytes"), None);
    }

    #[test]
    fn ratios_and_requests() {
        assert_eq!(ratio(0.449), "×0.45");
        assert_eq!(ratio(1.0), "×1.00");
        assert_eq!(ratio(12.34), "×12.3");
        assert_eq!(requests(12_345.0), "12,300");
        assert_eq!(requests(7.4), "7");
        assert_eq!(
            [1.0, 1.002, 0.5, 33.333_333, 1024.0].map(times),
            ["once", "once", "0.500 times", "33.333 times", "1,024 times"]
        );
    }

    #[test]
    fn counts_are_grouped_and_say_what_was_counted() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(count),
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!(
            [0, 1, 1024].map(launches),
            ["0 launches", "1 launch", "1,024 launches"]
        );
    }

    #[test]
    fn a_share_is_never_rounded_to_nothing() {
        let shares = [
            0.0, 3e-8, 4e-6, 0.000_01, 0.004, 0.012, 0.0299, 0.05, 0.099_7, 0.123, -12.34,
        ];
        assert_eq!(
            shares.map(percent),
            [
                "0 %",
                "0.000003 %",
                "0.0004 %",
                "0.001 %",
                "0.4 %",
                "1.2 %",
                "3 %",
                "5 %",
                "10 %",
                "12 %",
                "-1,234 %"
            ]
        );
    }

    #[test]
    fn a_share_is_never_rounded_to_the_whole() {
        let shares = [
            1.0,
            0.994,
            0.996,
            2_998.0 / 3_000.0,
            0.999_9,
            0.999_99,
            0.999_999_9,
            1.0 - f64::EPSILON,
            1.003,
            -0.999_9,
        ];
        assert_eq!(
            shares.map(percent),
            [
                "100 %",
                "99 %",
                "99.6 %",
                "99.9 %",
                "99.99 %",
                "99.999 %",
                "99.99999 %",
                "100 %",
                "100 %",
                "-99.99 %"
            ]
        );
    }

    /// A request is due some microseconds before the clock of its phase begins, and what is left of
    /// a time may be a little below nothing.
    #[test]
    fn nothing_has_no_sign() {
        for number in [-0.0, -1e-12, -4e-7] {
            let times = [ms(number), seconds(number), waiting(number)];
            let others = [bytes(number), super::number(number), requests(number)];
            for printed in times.into_iter().chain(others) {
                assert!(!printed.contains('-'), "{number} became {printed}");
            }
        }
        assert_eq!(seconds(-4e-7), "0.000 ms");
        assert_eq!(waiting(-0.4), "0 s");
    }

    #[test]
    fn who_waits_reads_the_unit_in_which_he_waits() {
        assert_eq!(
            [59.6, 288.0, 660.0, 7560.0].map(waiting),
            ["60 s", "4.8 min", "11 min", "2.1 h"]
        );
    }

    proptest! {
        /// What is printed is the value, to half a unit of its third digit.
        #[test]
        fn printing_loses_no_more_than_the_third_digit(ms in 1.0f64..1e6) {
            let text = value(ms, "ms");
            let (number, unit) = text.split_once(' ').unwrap();
            let factor = if unit == "s" { 1e3 } else { 1.0 };
            let read: f64 = number.replace(',', "").parse::<f64>().unwrap() * factor;
            prop_assert!((read - ms).abs() / ms < 0.0051, "{ms} became {text}");
        }
    }
}

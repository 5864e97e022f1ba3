//! Numbers for people: three significant digits, and the unit that keeps them short.
//!
//! An estimate and its interval share one unit and one number of decimals, so that they can
//! be compared at a glance: `1.23 s`, `1.19–1.31`.

use tacho_run_folder::Interval;

const KIB: f64 = 1024.0;

/// The unit and the decimals in which a value, and what stands beside it, is printed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    per_unit: f64,
    suffix: &'static str,
    decimals: usize,
}

impl Scale {
    /// The scale that shows `value`, given in the unit of a metric, with three digits.
    #[must_use]
    pub fn of(value: f64, unit: &str) -> Self {
        let (per_unit, suffix) = match unit {
            "ms" => time(value),
            "s" => {
                let (per_ms, suffix) = time(value * 1e3);
                (per_ms / 1e3, suffix)
            }
            "bytes" => bytes(value),
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

    /// The number without its unit.
    #[must_use]
    pub fn number(&self, value: f64) -> String {
        grouped(value / self.per_unit, self.decimals)
    }

    /// The number with its unit.
    #[must_use]
    pub fn full(&self, value: f64) -> String {
        format!("{}{}", self.number(value), self.suffix)
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

fn bytes(bytes: f64) -> (f64, &'static str) {
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
    Scale::of(value, unit).full(value)
}

/// The ends of an interval in the scale of its estimate: `1.19–1.31`. `None` when they are
/// the same when printed, as for sizes on disk.
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
    format!("×{}", ratio_number(ratio))
}

/// The ends of a ratio's interval: `0.41–0.49`.
#[must_use]
pub fn ratio_interval(ratio: &Interval) -> String {
    format!("{}–{}", ratio_number(ratio.low), ratio_number(ratio.high))
}

/// Unlike a value, a ratio of 1 or 2 keeps its decimals: they say how exact it is.
fn ratio_number(ratio: f64) -> String {
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

/// A fraction as per cent: `5 %`.
#[must_use]
pub fn percent(fraction: f64) -> String {
    if !fraction.is_finite() {
        return "–".to_owned();
    }
    let percent = fraction * 100.0;
    let decimals = usize::from(percent < 9.95 && percent.fract().abs() > 0.05);
    format!("{} %", grouped(percent, decimals))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
        assert_eq!(percent(0.05), "5 %");
        assert_eq!(percent(0.123), "12 %");
        assert_eq!(percent(0.012), "1.2 %");
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

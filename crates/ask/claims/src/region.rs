//! Figures that count as the same.

use std::fmt;
use tacho_quantity::{Bytes, Duration};

/// A range of a figure. It goes from one bound to the other, bounds included; or it is everything
/// above or below one bound, without the bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    low: Option<Bound>,
    high: Option<Bound>,
}

/// A number with its kind.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Bound {
    /// A ratio, a count, a rate, or a number in whatever unit the figure has.
    Number(f64),
    /// In seconds.
    Time(f64),
    /// In bytes.
    Size(f64),
}

/// What a region may look like.
pub const EXPECTED: &str =
    "a range such as `< 0.1`, `> 20`, `0.9..1.1`, `< 200ms` or `20MiB..40MiB`";

impl Region {
    /// Reads `< 0.1`, `> 2`, `0.9..1.1`; `None` of anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (low, high) = if let Some(most) = text.strip_prefix('<') {
            (None, Some(Bound::parse(most)?))
        } else if let Some(least) = text.strip_prefix('>') {
            (Some(Bound::parse(least)?), None)
        } else {
            let (low, high) = text.split_once("..")?;
            (Some(Bound::parse(low)?), Some(Bound::parse(high)?))
        };
        let is_in_order = match (low, high) {
            (Some(low), Some(high)) => low.same_kind(high) && low.value() <= high.value(),
            _ => true,
        };
        is_in_order.then_some(Self { low, high })
    }

    /// The least and the greatest number in the range, in the unit of a figure; `None` where that
    /// unit is of another kind.
    #[must_use]
    pub fn in_unit(&self, unit: &str) -> Option<(f64, f64)> {
        Some(match (self.low, self.high) {
            (Some(low), Some(high)) => (low.in_unit(unit)?, high.in_unit(unit)?),
            // A count of 0 is not above 0.
            (Some(low), None) => (low.in_unit(unit)?.next_up(), f64::INFINITY),
            (None, Some(high)) => (f64::NEG_INFINITY, high.in_unit(unit)?.next_down()),
            (None, None) => (f64::NEG_INFINITY, f64::INFINITY),
        })
    }
}

impl Bound {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Ok(number) = text.parse::<f64>() {
            return number.is_finite().then_some(Self::Number(number));
        }
        if let Ok(Duration(time)) = text.parse() {
            return Some(Self::Time(time.as_secs_f64()));
        }
        let Bytes(bytes) = text.parse().ok()?;
        Some(Self::Size(bytes as f64))
    }

    fn value(self) -> f64 {
        match self {
            Self::Number(value) | Self::Time(value) | Self::Size(value) => value,
        }
    }

    fn same_kind(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    fn in_unit(self, unit: &str) -> Option<f64> {
        match (self, unit) {
            (Self::Number(number), _) => Some(number),
            (Self::Time(seconds), "ms") => Some(seconds * 1e3),
            (Self::Time(seconds), "s" | "cpu-s") => Some(seconds),
            (Self::Size(bytes), "bytes") => Some(bytes),
            (Self::Time(_) | Self::Size(_), _) => None,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            // Whole nanoseconds: 0.0041 s in milliseconds is no round number.
            Self::Time(seconds) if *seconds < 1.0 => {
                write!(f, "{} ms", (seconds * 1e9).round() / 1e6)
            }
            Self::Time(seconds) => write!(f, "{seconds} s"),
            Self::Size(bytes) => f.write_str(&size(*bytes)),
        }
    }
}

/// A size in the unit that makes it shortest; its exact value is in the file.
fn size(bytes: f64) -> String {
    let (of, unit) = match bytes {
        bytes if bytes < 1024.0 => (bytes, "B"),
        bytes if bytes < 1_048_576.0 => (bytes / 1024.0, "KiB"),
        bytes => (bytes / 1_048_576.0, "MiB"),
    };
    match of.fract() == 0.0 || of >= 100.0 {
        true => format!("{of:.0} {unit}"),
        false => format!("{of:.1} {unit}"),
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.low, self.high) {
            (Some(low), Some(high)) => write!(f, "{low} to {high}"),
            (Some(low), None) => write!(f, "above {low}"),
            (None, Some(high)) => write!(f, "below {high}"),
            (None, None) => write!(f, "anything"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_is_read_and_nothing_else() {
        let bounds = |text: &str, unit: &str| Region::parse(text).unwrap().in_unit(unit);
        let below = |number: f64| Some((f64::NEG_INFINITY, number.next_down()));
        assert_eq!(bounds("< 0.1", "1"), below(0.1));
        assert_eq!(bounds(">20", "1"), Some((20_f64.next_up(), f64::INFINITY)));
        assert_eq!(bounds("0.9..1.1", "1"), Some((0.9, 1.1)));
        assert_eq!(bounds("100ms..2s", "ms"), Some((100.0, 2_000.0)));
        assert_eq!(bounds("< 200ms", "s"), below(0.2));
        assert_eq!(
            bounds("20MiB..40MiB", "bytes"),
            Some((20_971_520.0, 41_943_040.0))
        );
        for wrong in [
            "", "<", "0.1", "2..1", "1..2MiB", "< x", "nan..1", "inf..", "1..",
        ] {
            assert_eq!(Region::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_size_says_nothing_of_a_time() {
        assert_eq!(Region::parse("< 30MiB").unwrap().in_unit("ms"), None);
        assert_eq!(Region::parse("< 30ms").unwrap().in_unit("1"), None);
    }

    #[test]
    fn it_is_told_in_words() {
        assert_eq!(
            Region::parse("< 200ms").unwrap().to_string(),
            "below 200 ms"
        );
        assert_eq!(Region::parse("0.9..1.1").unwrap().to_string(), "0.9 to 1.1");
        let sizes = Region::parse("25MB..2.6GiB").unwrap().to_string();
        assert_eq!(sizes, "23.8 MiB to 2662 MiB");
        let small = Region::parse("20KiB..40KiB").unwrap().to_string();
        assert_eq!(small, "20 KiB to 40 KiB");
        let smaller = Region::parse("500B..1536B").unwrap().to_string();
        assert_eq!(smaller, "500 B to 1.5 KiB");
        let short = Region::parse("4.1ms..9.7ms").unwrap().to_string();
        assert_eq!(short, "4.1 ms to 9.7 ms");
    }

    /// As many teeth as none were the same as "more than none".
    #[test]
    fn a_bound_is_not_beyond_itself() {
        let (least, _) = Region::parse("> 0").unwrap().in_unit("1").unwrap();
        assert!(least > 0.0);
        let (_, most) = Region::parse("< 0").unwrap().in_unit("1").unwrap();
        assert!(most < 0.0);
        let (least, most) = Region::parse("0..0").unwrap().in_unit("1").unwrap();
        assert_eq!((least, most), (0.0, 0.0));
    }
}

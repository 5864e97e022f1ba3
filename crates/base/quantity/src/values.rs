//! A type for each quantity.

use crate::number::Number;
use crate::unit::Dimension;
use crate::{QuantityError, Slip};
use std::fmt;
use std::str::FromStr;
use std::time;

/// A time, 0 or more, of at most 104 days. Calculations with longer times would not be exact to the
/// nanosecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Duration(pub time::Duration);

/// A [`Duration`] above 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PositiveDuration(pub time::Duration);

/// Bytes, at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bytes(pub u64);

/// Processors, 0.01 to 4096: the kernel enforces no quota below 1 ms in a period of 100 ms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cpus(pub f64);

/// Events a second, above 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate(pub f64);

/// Events a second, or none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RateOrNone(pub f64);

/// A factor above 0: `2`, `0.5`, `2x`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factor(pub f64);

/// A share from `5%` or `0.05`; 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share(pub f64);

/// A count of at least 1; `10_000` and `10k` are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count(pub u64);

const DURATION: &str = "a duration such as 500ms, 10s or 2m";
const SHORT_DURATION: &str = "a duration of at most 104 days, such as 500ms, 10s or 2m";
const POSITIVE: &str = "a duration above 0 and of at most 104 days, such as 500ms, 10s or 2m";
const SIZE: &str = "a size such as 256MiB, 512M or 1GiB";
const CPUS: &str = "a number of processors such as 1, 0.25 or 250m";
const CPUS_RANGE: &str = "a number of processors between 0.01 and 4096, such as 1, 0.25 or 250m";
const RATE: &str = "a rate such as 500/s";
const RATE_RANGE: &str = "a rate above 0 and at most 10000000/s, such as 500/s";
const RATE_OR_NONE: &str = "a rate such as 500/s, at most 10000000/s, or 0";
const SHARE: &str = "a share such as 5% or 0.05";
const SHARE_RANGE: &str = "a share between 0% and 100%, such as 5% or 0.05";
const COUNT: &str = "a whole number of at least 1";
const FACTOR: &str = "a factor above 0 such as 2 or 0.5";

const LONGEST_NS: f64 = 104.0 * 24.0 * 3600.0 * 1e9;
const MOST_RATE: f64 = 1e7;

fn wrong<T>(text: &str, slip: Slip, expected: &'static str) -> Result<T, QuantityError> {
    Err(QuantityError {
        found: text.trim().to_owned(),
        slip,
        expected,
    })
}

/// The number, and its value in the base unit.
fn read<'a>(
    text: &'a str,
    dimension: Dimension,
    expected: &'static str,
) -> Result<(Number<'a>, f64), QuantityError> {
    let number = match Number::read(text.trim()) {
        Ok(number) => number,
        Err(slip) => return wrong(text, slip, expected),
    };
    let value = match (dimension, number.unit) {
        (Dimension::Share, "%") => number.shifted(2),
        (Dimension::Cpus, "m") => number.shifted(3),
        // Divided, half a request a second is exactly that.
        (Dimension::Rate, "/m" | "/min") => number.value / 60.0,
        // Zero needs no unit.
        (Dimension::Duration, "") if number.value == 0.0 => 0.0,
        (_, name) => match dimension.unit(name) {
            Some(unit) => number.value * unit.size,
            None if name.is_empty() => return wrong(text, Slip::NoUnit, expected),
            None => return wrong(text, Slip::UnknownUnit(name.to_owned()), expected),
        },
    };
    Ok((number, value))
}

/// Whether the value is too small or too large.
fn slip(value: f64, least: f64) -> Slip {
    if value < least || value == 0.0 {
        Slip::TooSmall
    } else {
        Slip::TooLarge
    }
}

impl std::ops::Deref for Duration {
    type Target = time::Duration;

    fn deref(&self) -> &time::Duration {
        &self.0
    }
}

impl std::ops::Deref for PositiveDuration {
    type Target = time::Duration;

    fn deref(&self) -> &time::Duration {
        &self.0
    }
}

impl FromStr for Duration {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let (number, _) = read(text, Dimension::Duration, DURATION)?;
        // In decimal, so that what has at most nine decimals of a second is exact.
        let ns = match number.unit {
            "us" | "µs" => number.shifted(-3),
            "ms" => number.shifted(-6),
            "m" | "min" => number.value * 60e9,
            "h" => number.value * 3600e9,
            _ => number.shifted(-9),
        };
        if ns > LONGEST_NS {
            return wrong(text, Slip::TooLarge, SHORT_DURATION);
        }
        Ok(Self(time::Duration::from_nanos(ns.round() as u64)))
    }
}

impl fmt::Display for Duration {
    /// In the largest unit of which it is a whole number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ns = self.0.as_nanos();
        let units = [
            (3_600_000_000_000, "h"),
            (60_000_000_000, "min"),
            (1_000_000_000, "s"),
            (1_000_000, "ms"),
            (1_000, "us"),
        ];
        if ns == 0 {
            return f.write_str("0s");
        }
        match units.iter().find(|(size, _)| ns.is_multiple_of(*size)) {
            Some((size, name)) => write!(f, "{}{name}", ns / size),
            None => write!(f, "{}.{:03}us", ns / 1_000, ns % 1_000),
        }
    }
}

impl FromStr for PositiveDuration {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let Duration(duration) = text.parse().map_err(|error: QuantityError| QuantityError {
            expected: match error.slip {
                Slip::TooLarge => POSITIVE,
                _ => error.expected,
            },
            ..error
        })?;
        if duration.is_zero() {
            return wrong(text, Slip::TooSmall, POSITIVE);
        }
        Ok(Self(duration))
    }
}

impl FromStr for Bytes {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        const MOST: f64 = 1e18;
        let (number, bytes) = read(text, Dimension::Size, SIZE)?;
        if !(1.0..=MOST).contains(&bytes) {
            return wrong(text, slip(bytes, 1.0), SIZE);
        }
        // Whole numbers are exact beyond the 53 bits of a float.
        let size = Dimension::Size
            .unit(number.unit)
            .map_or(1.0, |unit| unit.size) as u64;
        let whole = number.digits.parse::<u64>().ok();
        let exact = whole.and_then(|whole| whole.checked_mul(size));
        Ok(Self(exact.unwrap_or(bytes as u64)))
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MIB: u64 = 1 << 20;
        const GIB: u64 = 1 << 30;
        match self.0 {
            b if b % GIB == 0 => write!(f, "{}GiB", b / GIB),
            b if b % MIB == 0 => write!(f, "{}MiB", b / MIB),
            b if b % 1_000_000 == 0 => write!(f, "{}MB", b / 1_000_000),
            b => write!(f, "{b}B"),
        }
    }
}

/// Numbers between two bounds, both of which are allowed.
macro_rules! bounded {
    ($($kind:ident: $dimension:ident, $expected:ident, $range:expr, $bounds:ident;)*) => {$(
        impl FromStr for $kind {
            type Err = QuantityError;

            fn from_str(text: &str) -> Result<Self, QuantityError> {
                let (_, value) = read(text, Dimension::$dimension, $expected)?;
                if !$range.contains(&value) {
                    return wrong(text, slip(value, *$range.start()), $bounds);
                }
                Ok(Self(value))
            }
        }
    )*};
}
bounded! {
    Cpus: Cpus, CPUS, (0.01..=4096.0), CPUS_RANGE;
    Factor: Factor, FACTOR, (f64::MIN_POSITIVE..=f64::MAX), FACTOR;
    Rate: Rate, RATE, (f64::MIN_POSITIVE..=MOST_RATE), RATE_RANGE;
    RateOrNone: Rate, RATE_OR_NONE, (0.0..=MOST_RATE), RATE_OR_NONE;
    Share: Share, SHARE, (0.0..=1.0), SHARE_RANGE;
}

impl FromStr for Count {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let (_, count) = read(text, Dimension::Count, COUNT)?;
        if count.fract() != 0.0 {
            return wrong(text, Slip::NotWhole, COUNT);
        }
        if !(1.0..=1e15).contains(&count) {
            return wrong(text, slip(count, 1.0), COUNT);
        }
        Ok(Self(count as u64))
    }
}

impl fmt::Display for PositiveDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Duration(self.0).fmt(f)
    }
}

macro_rules! shown {
    ($($kind:ident $unit:literal)*) => {$(
        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!("{}", $unit), self.0)
            }
        }
    )*};
}
shown!(Count "" Cpus "" Factor "" Rate "/s" RateOrNone "/s");

impl fmt::Display for Share {
    /// Writes a percentage where that is exactly the same value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = Number::read(&format!("{:e}", self.0))
            .map(|number| format!("{}%", number.shifted(-2)))
            .ok()
            .filter(|percent| percent.parse() == Ok(*self));
        match percent {
            Some(percent) => f.write_str(&percent),
            None => write!(f, "{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests;

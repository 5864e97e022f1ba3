//! Quantities as people write them: `10s`, `256MiB`, `0.25`, `250m`, `500/s`, `5%`.

use std::time::Duration;

/// What was expected instead, for people: `a duration such as 500ms, 10s or 2m`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuantityError(pub String);

/// Something that is written as a number with a unit.
pub trait Quantity: Sized {
    /// Reads it; surrounding space is allowed.
    fn parse(text: &str) -> Result<Self, QuantityError>;
}

/// Bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bytes(pub u64);

/// Processors, greater than 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cpus(pub f64);

/// Events a second, greater than 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate(pub f64);

/// Events a second, or none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RateOrNone(pub f64);

/// A time that is not none, of at most 104 days: longer ones are not known to the nanosecond.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Length(pub f64);

/// A factor greater than 0: `2`, `0.5`, `2x`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factor(pub f64);

/// A fraction from `5%` or `0.05`; 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fraction(pub f64);

/// A count of at least 1; `10_000` and `10k` are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count(pub u64);

fn error<T>(expected: &str) -> Result<T, QuantityError> {
    Err(QuantityError(expected.to_owned()))
}

/// Splits `12.5ms` into 12.5 and `ms`; `None` when there is no finite number of 0 or more.
fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_'))
        .unwrap_or(text.len());
    let number: f64 = text[..end].replace('_', "").parse().ok()?;
    number.is_finite().then_some((number, text[end..].trim()))
}

impl Quantity for Duration {
    fn parse(text: &str) -> Result<Self, QuantityError> {
        const EXPECTED: &str = "a duration such as 500ms, 10s or 2m";
        let Some((number, unit)) = split(text) else {
            return error(EXPECTED);
        };
        let seconds = match unit {
            "us" => number / 1e6,
            "ms" => number / 1e3,
            "s" => number,
            "m" | "min" => number * 60.0,
            "h" => number * 3600.0,
            "" if number == 0.0 => 0.0,
            _ => return error(EXPECTED),
        };
        Duration::try_from_secs_f64(seconds).or_else(|_| error(EXPECTED))
    }
}

impl Quantity for Bytes {
    fn parse(text: &str) -> Result<Self, QuantityError> {
        const EXPECTED: &str = "a size such as 256MiB, 512M or 1GiB";
        let Some((number, unit)) = split(text) else {
            return error(EXPECTED);
        };
        // `M` and `Mi` are Kubernetes' spellings: M is 10^6, Mi is 2^20.
        let factor: f64 = match unit {
            "B" => 1.0,
            "k" | "K" | "kB" | "KB" => 1e3,
            "Ki" | "KiB" => 1024.0,
            "M" | "MB" => 1e6,
            "Mi" | "MiB" => 1048576.0,
            "G" | "GB" => 1e9,
            "Gi" | "GiB" => 1073741824.0,
            _ => return error(EXPECTED),
        };
        let bytes = number * factor;
        if !(1.0..=1e18).contains(&bytes) {
            return error(EXPECTED);
        }
        Ok(Self(bytes as u64))
    }
}

impl Quantity for Cpus {
    fn parse(text: &str) -> Result<Self, QuantityError> {
        const EXPECTED: &str = "a number of processors such as 1, 0.25 or 250m";
        let cpus = match split(text) {
            Some((number, "")) => number,
            Some((number, "m")) => number / 1e3,
            _ => return error(EXPECTED),
        };
        // The kernel enforces no quota below 1 ms in a period of 100 ms.
        if !(0.01..=4096.0).contains(&cpus) {
            return error("a number of processors between 0.01 and 4096, such as 1, 0.25 or 250m");
        }
        Ok(Self(cpus))
    }
}

impl Quantity for Rate {
    fn parse(text: &str) -> Result<Self, QuantityError> {
        const EXPECTED: &str = "a rate such as 500/s";
        let rate = match split(text) {
            Some((number, "" | "/s" | "rps")) => number,
            Some((number, "/m" | "/min")) => number / 60.0,
            _ => return error(EXPECTED),
        };
        if !(rate > 0.0 && rate <= 1e7) {
            return error("a rate above 0 and at most 10000000/s, such as 500/s");
        }
        Ok(Self(rate))
    }
}

impl Quantity for RateOrNone {
    fn parse(text: &str) -> Result<Self, QuantityError> {
        match split(text) {
            Some((0.0, "" | "/s" | "rps" | "/m" | "/min")) => Ok(Self(0.0)),
            _ => match Rate::parse(text) {
                Ok(Rate(rate)) => Ok(Self(rate)),
                Err(_) => error("a rate such as 500/s, at most 10000000/s, or 0"),
            },
        }
    }
}

impl Quantity for Length {
    fn parse(text: &str) -> Result<Self, QuantityError> {
        const LONGEST: Duration = Duration::from_secs(104 * 24 * 3600);
        let duration = Duration::parse(text)?;
        if duration.is_zero() || duration > LONGEST {
            return error("a duration above 0 and of at most 104 days, such as 500ms, 10s or 2m");
        }
        Ok(Self(duration.as_secs_f64()))
    }
}

impl Quantity for Factor {
    fn parse(text: &str) -> Result<Self, QuantityError> {
        match split(text) {
            Some((number, "" | "x")) if number > 0.0 => Ok(Self(number)),
            _ => error("a factor above 0 such as 2 or 0.5"),
        }
    }
}

impl Quantity for Fraction {
    fn parse(text: &str) -> Result<Self, QuantityError> {
        const EXPECTED: &str = "a share such as 5% or 0.05";
        let fraction = match split(text) {
            Some((number, "%")) => number / 100.0,
            Some((number, "")) => number,
            _ => return error(EXPECTED),
        };
        if !(0.0..=1.0).contains(&fraction) {
            return error("a share between 0% and 100%, such as 5% or 0.05");
        }
        Ok(Self(fraction))
    }
}

impl Quantity for Count {
    fn parse(text: &str) -> Result<Self, QuantityError> {
        const EXPECTED: &str = "a whole number of at least 1";
        let count = match split(text) {
            Some((number, "")) => number,
            Some((number, "k")) => number * 1e3,
            _ => return error(EXPECTED),
        };
        if count.fract() != 0.0 || !(1.0..=1e15).contains(&count) {
            return error(EXPECTED);
        }
        Ok(Self(count as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quantities_are_read_as_people_write_them() {
        assert_eq!(Duration::parse("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(Duration::parse(" 1.5 s"), Ok(Duration::from_millis(1500)));
        assert_eq!(Duration::parse("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(Bytes::parse("256MiB"), Ok(Bytes(256 << 20)));
        assert_eq!(Bytes::parse("256Mi"), Ok(Bytes(256 << 20)));
        assert_eq!(Bytes::parse("512M"), Ok(Bytes(512_000_000)));
        assert_eq!(Cpus::parse("250m"), Ok(Cpus(0.25)));
        assert_eq!(Rate::parse("500/s"), Ok(Rate(500.0)));
        assert_eq!(Rate::parse("30/min"), Ok(Rate(0.5)));
        assert_eq!(RateOrNone::parse("0"), Ok(RateOrNone(0.0)));
        assert_eq!(RateOrNone::parse("500/s"), Ok(RateOrNone(500.0)));
        assert_eq!(Length::parse("500ms"), Ok(Length(0.5)));
        assert_eq!(Factor::parse("2x"), Ok(Factor(2.0)));
        assert_eq!(Fraction::parse("5%"), Ok(Fraction(0.05)));
        assert_eq!(Count::parse("100_000"), Ok(Count(100_000)));
    }

    #[test]
    fn what_has_no_unit_or_the_wrong_one_is_refused() {
        assert!(Duration::parse("10").is_err());
        assert!(Duration::parse("-1s").is_err());
        assert!(Bytes::parse("256").is_err());
        assert!(Cpus::parse("0").is_err());
        assert!(Rate::parse("0").is_err());
        assert!(Rate::parse("1000000000/min").is_err());
        assert!(RateOrNone::parse("-1").is_err());
        assert!(Length::parse("0s").is_err());
        assert!(Length::parse("9999h").is_err());
        assert!(Factor::parse("0").is_err());
        assert!(Fraction::parse("150%").is_err());
        assert!(Count::parse("0").is_err());
        assert!(Count::parse("1.5").is_err());
    }

    proptest! {
        #[test]
        fn no_text_makes_the_readers_panic(text in ".{0,20}") {
            let _ = Duration::parse(&text);
            let _ = Bytes::parse(&text);
            let _ = Cpus::parse(&text);
            let _ = Rate::parse(&text);
            let _ = RateOrNone::parse(&text);
            let _ = Length::parse(&text);
            let _ = Factor::parse(&text);
            let _ = Fraction::parse(&text);
            let _ = Count::parse(&text);
        }
    }
}

//! Parsers for command lines that give plain values: `#[arg(value_parser = flags::rate)]`. An error
//! says what is wrong and what to write.

use crate::{Bytes, Count, Cpus, Duration, Factor, QuantityError, Rate, Share};
use std::time;

/// A time: `10s`
pub fn duration(text: &str) -> Result<time::Duration, QuantityError> {
    text.parse().map(|Duration(duration)| duration)
}

/// A size in bytes: `256MiB`
pub fn bytes(text: &str) -> Result<u64, QuantityError> {
    text.parse().map(|Bytes(bytes)| bytes)
}

/// Processors, `250m` as 0.25
pub fn cpus(text: &str) -> Result<f64, QuantityError> {
    text.parse().map(|Cpus(cpus)| cpus)
}

/// A rate in requests a second: `500/s`
pub fn rate(text: &str) -> Result<f64, QuantityError> {
    text.parse().map(|Rate(rate)| rate)
}

/// A share of the whole, `2%` as 0.02
pub fn share(text: &str) -> Result<f64, QuantityError> {
    text.parse().map(|Share(share)| share)
}

/// How many times: `2x`
pub fn factor(text: &str) -> Result<f64, QuantityError> {
    text.parse().map(|Factor(factor)| factor)
}

/// A count: `10k`
pub fn count(text: &str) -> Result<u64, QuantityError> {
    text.parse().map(|Count(count)| count)
}

/// A count of at most `MOST`.
pub fn count_to<const MOST: u32>(text: &str) -> Result<u32, String> {
    let count = count(text).map_err(|error| error.to_string())?;
    match u32::try_from(count) {
        Ok(count) if count <= MOST => Ok(count),
        _ => Err(format!(
            "`{}` is too large; write a whole number from 1 to {MOST}",
            text.trim()
        )),
    }
}

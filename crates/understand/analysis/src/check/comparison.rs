//! What all checks have in common, whatever they are about: a left side, an operator, a quantity.

use super::{Operator, Part};

/// A check taken apart at its operator.
#[derive(Debug, Clone, Copy)]
pub struct Comparison<'a> {
    /// Before the operator: what is looked at.
    pub left: Part<'a>,
    /// How it is compared.
    pub operator: Operator,
    /// Behind it: the bound.
    pub right: Part<'a>,
}

impl<'a> Comparison<'a> {
    /// The whole text is what is wrong when there is no operator.
    ///
    /// # Errors
    /// The part to point at.
    pub fn of(text: &'a str) -> Result<Self, Part<'a>> {
        let all = Part::of(text, 0, text.len());
        let operator_at = all.text().find(['<', '>']).ok_or(all)?;
        let (operator, width) = Operator::read(&all.text()[operator_at..]);
        let (left, right) = all.split(operator_at, width);
        Ok(Self {
            left,
            operator,
            right,
        })
    }
}

/// A number with its unit, as they were written.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// Finite.
    pub value: f64,
    /// Its digits.
    pub number: Part<'a>,
    /// What stands behind them, without the spaces between.
    pub unit: Part<'a>,
}

impl<'a> Written<'a> {
    /// Reads `50 ms`.
    ///
    /// # Errors
    /// The part in which a number is missing.
    pub fn of(part: Part<'a>) -> Result<Self, Part<'a>> {
        let digits_end = digits_end(part.text());
        let (number, unit) = part.split(digits_end, 0);
        match number.text().parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Self {
                value,
                number,
                unit,
            }),
            _ => Err(number),
        }
    }
}

/// Where a number at the beginning of a text ends.
#[must_use]
pub fn digits_end(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len())
}

/// The ways to read `a.b.c` as a phase and a metric: phases may have points in their own names, and so has `p99.9`.
pub fn phases_and_metrics(left: Part<'_>) -> impl Iterator<Item = (Part<'_>, Part<'_>)> {
    let points = left.text().match_indices('.');
    points.map(move |(at, _)| left.split(at, 1))
}

//! Digits as people write them, and the unit after them.

use crate::Slip;

/// `12.5 ms` taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Number<'a> {
    /// Digits, a point and an exponent, as Rust reads them.
    pub digits: String,
    /// Finite, 0 or more.
    pub value: f64,
    /// What stands after them, without the spaces around it.
    pub unit: &'a str,
    /// Bytes of the text before the unit.
    pub length: usize,
}

impl<'a> Number<'a> {
    /// Reads the beginning of a text without spaces around it.
    pub fn read(text: &'a str) -> Result<Self, Slip> {
        let length = length(text)?;
        let digits: String = text[..length]
            .chars()
            .filter(|c| !matches!(c, '_' | ','))
            .collect();
        match digits.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Self {
                digits,
                value,
                unit: text[length..].trim(),
                length,
            }),
            Ok(_) => Err(Slip::TooLarge),
            Err(_) => Err(Slip::NoNumber),
        }
    }

    /// The number divided by 10 to the power of `places`. This is done in decimal: 99.9 / 100 in
    /// binary is a little more than 0.999.
    pub fn shifted(&self, places: i32) -> f64 {
        let (digits, exponent) = self
            .digits
            .split_once(['e', 'E'])
            .unwrap_or((&self.digits, "0"));
        let exponent = exponent.parse().unwrap_or(0_i32).saturating_sub(places);
        format!("{digits}e{exponent}").parse().unwrap_or(self.value)
    }
}

/// Where the number ends. A comma belongs to it when exactly three digits follow.
fn length(text: &str) -> Result<usize, Slip> {
    let bytes = text.as_bytes();
    let digits_from = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().take_while(|b| b.is_ascii_digit()).count()
    };
    let mut at = usize::from(bytes.first() == Some(&b'+'));
    loop {
        match bytes.get(at) {
            Some(b'0'..=b'9' | b'.' | b'_') => at += 1,
            Some(b',') => match digits_from(at + 1) {
                3 => at += 4,
                0 => return Ok(at),
                _ => return Err(Slip::Comma),
            },
            Some(b'e' | b'E') => {
                let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
                return Ok(match digits_from(at + 1 + sign) {
                    0 => at,
                    digits => at + 1 + sign + digits,
                });
            }
            _ => return Ok(at),
        }
    }
}

//! Instants before a record: `2014-03-29T10:03:45.431+1030: 19.732: `.

use crate::decorations::{At, iso};
use crate::scan::{digits, nanoseconds_of};

/// Bytes of `2014-03-29T10:03:45.431+1030`.
const DATE: usize = 28;

/// Takes an instant at the beginning of a text whose first byte is a digit: the clock on the wall
/// (`PrintGCDateStamps`), which begins a new instant, or the uptime (`PrintGCTimeStamps`).
pub fn take<'a>(at: &mut At, text: &'a [u8]) -> Option<&'a [u8]> {
    if text.get(4) == Some(&b'-') && text.get(10) == Some(&b'T') {
        let wall = iso(text.get(..DATE.min(text.len()))?)?;
        *at = At {
            wall: Some(wall),
            uptime: None,
        };
        let end = text.iter().position(|b| matches!(b, b' ' | b'[' | b']'));
        return Some(&text[end.unwrap_or(text.len())..]);
    }
    let (_, rest) = digits(text)?;
    // Three decimals and a colon: nothing else in these logs looks so. Some countries write a
    // comma.
    let [
        b'.' | b',',
        b'0'..=b'9',
        b'0'..=b'9',
        b'0'..=b'9',
        b':',
        rest @ ..,
    ] = rest
    else {
        return None;
    };
    at.uptime = Some(nanoseconds_of(text)?);
    Some(rest)
}

/// The last instant in a text: wrappers and other threads may have written before it.
pub fn last_in(text: &[u8]) -> At {
    let mut at = At::default();
    let mut rest = text;
    while let Some(digit) = rest.iter().position(u8::is_ascii_digit) {
        let from = &rest[digit..];
        rest = match take(&mut at, from) {
            Some(after) => after,
            None => {
                let end = from
                    .iter()
                    .position(|b| matches!(b, b' ' | b'[' | b']' | b'('));
                &from[end.unwrap_or(from.len())..]
            }
        };
    }
    at
}

#[cfg(test)]
mod tests {
    use super::{At, last_in};

    #[test]
    fn both_clocks_one_or_none() {
        let at = last_in(b"2014-03-29T10:03:45.431+1030: 19.732: ");
        assert_eq!(at.uptime, Some(19_732_000_000));
        assert_eq!(at.wall, Some(1_396_049_625_431));
        assert_eq!(last_in(b"30284,932: ").uptime, Some(30_284_932_000_000));
        assert_eq!(last_in(b"app_1  | 12.345: ").uptime, Some(12_345_000_000));
        assert_eq!(last_in(b"652.538: 652.538").uptime, Some(652_538_000_000));
        assert_eq!(last_in(b"12: "), At::default());
        assert_eq!(last_in(b""), At::default());
    }
}

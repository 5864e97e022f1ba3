//! Numbers within a record: sizes, durations.

use crate::event::HeapChange;
use crate::scan::{Scan, nanoseconds_of};

/// A size, with what belongs to it.
pub enum Sizes {
    /// `18783K->2657K(83008K)`
    Change(HeapChange),
    /// `41003K(83008K)`
    Used(u64, u64),
    /// `1024KB`
    Alone,
}

/// Takes a size, when it is next.
pub fn size(scan: &mut Scan<'_>) -> Option<Sizes> {
    let mut ahead = *scan;
    let before = ahead.size()?;
    *scan = ahead;
    if scan.literal(b"->").is_none() {
        return Some(match capacity(scan) {
            Some(capacity) => Sizes::Used(before, capacity),
            None => Sizes::Alone,
        });
    }
    let mut ahead = *scan;
    let Some(after) = ahead.size() else {
        return Some(Sizes::Alone);
    };
    *scan = ahead;
    Some(Sizes::Change(HeapChange {
        before,
        after,
        capacity: capacity(scan),
    }))
}

/// `(83008K)`, when it is next.
fn capacity(scan: &mut Scan<'_>) -> Option<u64> {
    let mut ahead = *scan;
    let capacity = Scan(ahead.parenthesis()?).size()?;
    *scan = ahead;
    Some(capacity)
}

/// `0.0127020 secs`, `0.419 ms`, or a number of something else; and what follows it. A concurrent
/// phase of CMS has two, `0.079/0.082 secs`: the second is the time by the clock on the wall.
pub fn duration(text: &[u8]) -> (Option<u64>, &[u8]) {
    let (digits, rest) = match number(text) {
        (_, [b'/', wall @ ..]) if wall.first().is_some_and(u8::is_ascii_digit) => number(wall),
        alone => alone,
    };
    let duration = match rest {
        // Until JDK 6 G1 writes `sec`.
        [b' ', b's', b'e', b'c', ..] => nanoseconds_of(digits),
        [b' ', b'm', b's', ..] => nanoseconds_of(digits).map(|ns| ns / 1000),
        _ => None,
    };
    (duration, rest)
}

/// A number with its decimals, and what follows it. A comma may be a decimal mark or end a part:
/// `0, 0` holds two numbers.
fn number(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text
        .iter()
        .position(|b| !b.is_ascii_digit() && *b != b'.' && *b != b',');
    text.split_at(end.unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn of_two_numbers_the_second_is_the_time() {
        let of = |text: &str| duration(text.as_bytes()).0;
        assert_eq!(of("0.0127020 secs]"), Some(12_702_000));
        assert_eq!(of("0.079/0.082 secs]"), Some(82_000_000));
        assert_eq!(of("0,142/6,638 secs]"), Some(6_638_000_000));
        assert_eq!(of("0.142/ secs]"), None);
        assert_eq!(of("3/4 of it"), None);
    }
}

//! What a line looks like, before its brackets are followed.

use super::kind::Kind;
use crate::scan::Scan;

/// Whether a bracket of the line is one of these logs, whatever stands before it.
pub fn holds_record(line: &[u8]) -> bool {
    memchr::memchr_iter(b'[', line).any(|at| Kind::read(&line[at + 1..]).0.is_telling())
}

/// A row of a table in the middle of a record or beside it: ages, and the histogram of classes,
/// whose names hold brackets.
pub fn is_row(line: &[u8]) -> bool {
    match line.first() {
        Some(b'-' | b'D') => line.starts_with(b"- age ") || line.starts_with(b"Desired survivor "),
        // `   1:     99832   63823304  [B`
        Some(b' ') => {
            let mut scan = Scan(line);
            scan.spaces();
            let mut numbers = 0;
            while scan.number().is_some() {
                numbers += 1;
                if numbers == 1 && scan.literal(b":").is_none() {
                    return false;
                }
                scan.spaces();
            }
            numbers == 3
        }
        _ => false,
    }
}

/// Takes a word, which says nothing here.
pub fn skip_word(scan: &mut Scan<'_>) {
    let end = scan
        .0
        .iter()
        .position(|b| matches!(b, b' ' | b'[' | b']' | b'(' | b')' | b',' | b':'));
    // A word has a byte at least.
    scan.0 = &scan.0[end.unwrap_or(scan.0.len()).max(1)..];
}

//! Reading from memory.
#![allow(dead_code)]

use tacho_gc_log::{Event, GcSummary, Lines, Reader, Summary, What};

/// What a log adds up to.
pub fn summary(log: &[u8]) -> GcSummary {
    let mut reader = Reader::default();
    let mut summary = Summary::default();
    reader.feed(log, &mut |event| summary.take(event));
    let lines = reader.end(&mut |event| summary.take(event));
    summary.finish(Vec::new(), lines)
}

/// Its events as text, for comparing.
pub fn events(log: &[u8]) -> Vec<String> {
    in_pieces(log, std::iter::once(log.len())).0
}

/// The same, fed in pieces of these lengths, one after the other; the rest at once.
pub fn in_pieces(mut log: &[u8], pieces: impl IntoIterator<Item = usize>) -> (Vec<String>, Lines) {
    let mut reader = Reader::default();
    let mut told = Vec::new();
    // Of a line that is cut off, the instant may be whole.
    let mut take = |event: &Event<'_>| {
        if event.what != What::Instant {
            told.push(format!("{event:?}"));
        }
    };
    for piece in pieces {
        let (now, later) = log.split_at(piece.min(log.len()));
        reader.feed(now, &mut take);
        log = later;
    }
    reader.feed(log, &mut take);
    let lines = reader.end(&mut take);
    (told, lines)
}

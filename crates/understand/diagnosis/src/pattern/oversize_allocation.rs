//! Much more memory is allocated for each request.

use super::{Match, Need, Pattern, SPECIAL, place};
use crate::comparison::Suspect;
use crate::finding::Count;
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "oversize-allocation",
    name: "much memory for each request",
    needs: &[Need::Ledger(LedgerKind::Allocation)],
    look,
    ..SPECIAL
};

/// Below this a request allocates as requests do.
const LARGE: f64 = 256.0 * 1024.0;
/// Clearing or copying a byte takes at least so much, in nanoseconds: a processor writes some 10 GB
/// to memory in a second (McCalpin's STREAM on today's servers). A sampler does not stop within the
/// intrinsics that do it and lays their time to the next line, so that bytes are its better
/// witness.
const LEAST_NS_PER_BYTE: f64 = 0.1;

/// The least that what an owner allocates more takes of a request, in milliseconds; nothing below
/// megabytes.
pub fn least_ms(suspect: &Suspect<'_, '_>) -> f64 {
    let bytes = suspect.allocated();
    match bytes.is_more() && bytes.more() >= MEGABYTES {
        true => bytes.more() * LEAST_NS_PER_BYTE * 1e-6,
        false => 0.0,
    }
}

/// More of it is always looked at.
const MEGABYTES: f64 = 1024.0 * 1024.0;

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let bytes = suspect.allocated();
    if bytes.more() < LARGE || bytes.candidate < 2.0 * bytes.baseline || !bytes.is_more() {
        return None;
    }
    let (line, stack) = place(suspect, |item| item.kind == LedgerKind::Allocation);
    let class = suspect
        .costliest(|item| item.kind == LedgerKind::Allocation)
        .map(|(entry, _)| entry.key.clone())
        .unwrap_or_default();
    // Clearing new memory is done where it is allocated; collecting it is elsewhere. Objects that
    // are made have their own work, which this is not.
    let is_array = class.ends_with("[]");
    let mut time = suspect.comparison.cost(
        |item| {
            suspect.is_mine(item)
                && item.kind == LedgerKind::Processor
                && is_array
                && item.below.len() <= 3
        },
        1e-6,
    );
    time.candidate = time.candidate.max(time.baseline + least_ms(suspect));
    time.candidate += suspect.collecting().map_or(0.0, |collecting| collecting.ms);
    Some(Match {
        time,
        sentence: format!("For each request {{owner}} allocates {}, mostly {class}; clearing and collecting it takes the time.", tacho_figures::bytes(bytes.candidate)),
        fix: "Allocate what is needed (a smaller buffer, the known length), or reuse one buffer per thread.".to_owned(),
        counts: vec![Count { what: "bytes allocated".to_owned(), times: bytes }],
        line,
        stack,
        is_cause: true,
    })
}

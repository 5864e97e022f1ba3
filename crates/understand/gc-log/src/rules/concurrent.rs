//! Concurrent phases, and the concurrent cycle of G1.

use super::{Said, ending_in_duration, ending_in_heap, only_begins};
use crate::event::{Concurrent, Cycle, CyclePart, Failure, Generation, What};
use crate::scan::text;

/// `Concurrent Mark From Roots 8.032ms`, `Concurrent cleanup 15M->14M(64M) 0.012ms`; detail where
/// it only begins.
pub fn read(message: &[u8]) -> Option<Said<'_>> {
    // Concurrent Mark Abort
    if let Some(failed) = failed(message) {
        return Some(failed);
    }
    let Some((head, duration)) = ending_in_duration(message) else {
        return only_begins(message).then_some(Said::Detail);
    };
    let (head, heap) = ending_in_heap(head);
    let name = head.strip_prefix(b"Concurrent ").unwrap_or(head);
    let (name, of) = name.split_at(memchr::memchr(b'(', name).unwrap_or(name.len()));
    let name = text(name.trim_ascii_end())?;
    // G1: `Concurrent Mark Cycle 13.328ms`, `Concurrent Undo Cycle 0.4ms`; before JDK 17
    // `Concurrent Cycle 13.328ms`.
    Some(match name {
        "Mark Cycle" | "Cycle" | "Undo Cycle" => What::Cycle(Cycle {
            name: text(head.trim_ascii_end())?,
            generation: Generation::Old,
            cause: None,
            heap: None,
            duration: Some(duration),
            aborted: false,
        })
        .into(),
        _ => {
            let generation = generation(of);
            What::Concurrent(Concurrent {
                name,
                part: match (name, generation) {
                    // Marking of the old generation has no reset: it goes on where a young cycle
                    // has begun it, or where it was left.
                    ("reset", _) | ("marking", Generation::Old) => CyclePart::Begins,
                    ("cleanup", _) => CyclePart::Frees,
                    ("Reset", _) => CyclePart::Ends,
                    _ => CyclePart::Other,
                },
                generation,
                heap,
                duration,
            })
            .into()
        }
    })
}

/// Shenandoah with generations: `Concurrent reset (Young) 0.138ms`, `Concurrent marking (Old)
/// 0.918ms`.
fn generation(of: &[u8]) -> Generation {
    if of.starts_with(b"(Young)") {
        Generation::Young
    } else if of.starts_with(b"(Old)") {
        Generation::Old
    } else {
        Generation::Whole
    }
}

/// A concurrent collection that came to nothing: `Concurrent Mark Abort` (G1), `Concurrent mode
/// failure` (CMS).
pub fn failed(message: &[u8]) -> Option<Said<'_>> {
    let failure = match message {
        b"Concurrent Mark Abort" => Failure::ConcurrentMarkAborted,
        b"Concurrent mode failure" => Failure::ConcurrentMode,
        b"Concurrent mode interrupted" => Failure::ConcurrentModeInterrupted,
        _ => return None,
    };
    Some(What::Failure(failure).into())
}

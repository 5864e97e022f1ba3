//! Shenandoah: why a cycle begins, and allocations that failed beside it. Its pauses and phases are
//! as everybody's.

use super::Said;
use crate::event::{Failure, What};
use crate::scan::text;

/// `Trigger: Learning 1 of 5. Free (45807K) is below initial threshold (45875K)`,
/// `Failed to allocate Shared, 8208B`
pub fn read(message: &[u8]) -> Option<Said<'_>> {
    // With generations: `Trigger (Young): Free (...)`
    if message.starts_with(b"Trigger") {
        let colon = memchr::memmem::find(message, b": ")?;
        return Some(What::Trigger(reason(text(&message[colon + 2..])?)).into());
    }
    if message.starts_with(b"Failed to allocate ") {
        return Some(What::Failure(Failure::AllocationDuringCycle).into());
    }
    // `Cancelling GC: Allocation Failure`; between collections `Concurrent uncommit 145M (47360K)
    // 1162.431ms`
    let is_detail =
        message.starts_with(b"Cancelling GC: ") || message.starts_with(b"Concurrent uncommit");
    is_detail.then_some(Said::Detail)
}

/// The part of a reason that is the same every time.
fn reason(text: &str) -> &str {
    // GC request (System.gc())
    if let Some(request) = text.strip_prefix("GC request (") {
        return request.strip_suffix(')').unwrap_or(request);
    }
    if text.starts_with("Free (") {
        return "Free memory below threshold";
    }
    let numbers = text.find(|c: char| c.is_ascii_digit());
    let end = numbers.unwrap_or(text.len());
    text[..end].trim_end_matches([' ', '(', ',', ':'])
}

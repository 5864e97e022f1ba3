//! Safepoints: all threads stand still, for a collection or for something else.

use crate::event::{Safepoint, What};
use crate::scan::{Scan, text};
use memchr::memmem;

/// `Safepoint "G1CollectForAllocation", Time since last: 36929680 ns, Reaching safepoint: 3980 ns,
/// ..., Total: 2372436 ns`
pub fn read(message: &[u8]) -> Option<What<'_>> {
    let rest = message.strip_prefix(b"Safepoint \"")?;
    let quote = memchr::memchr(b'"', rest)?;
    let name = text(&rest[..quote])?;
    let after = |title: &[u8]| {
        let at = memmem::find(rest, title)? + title.len();
        Scan(&rest[at..]).duration()
    };
    Some(What::Safepoint(Safepoint {
        name,
        reaching: after(b"Reaching safepoint: ")?,
        total: after(b" Total: ")?,
    }))
}

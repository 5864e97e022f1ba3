//! Safepoints: all threads stand still, for a collection or for something else.

use crate::event::{Safepoint, What};
use crate::preunified::stopped;
use crate::scan::{Scan, text};
use memchr::memmem;

/// `Safepoint "G1CollectForAllocation", Time since last: 36929680 ns, Reaching safepoint: 3980 ns,
/// ..., Total: 2372436 ns`
///
/// JDK 9 to 12 write several lines, the last as JDK 8 does: `Entering safepoint region:
/// RevokeBias`, `Total time for which application threads were stopped: 0.0003 seconds, ...`.
pub fn read(message: &[u8]) -> Option<What<'_>> {
    match message.first()? {
        b'E' => {
            let name = message.strip_prefix(b"Entering safepoint region: ")?;
            return Some(What::SafepointBegins(text(name)?));
        }
        b'T' => return stopped::message(message),
        _ => {}
    }
    let rest = message.strip_prefix(b"Safepoint \"")?;
    let quote = memchr::memchr(b'"', rest)?;
    let name = text(&rest[..quote])?;
    let after = |title: &[u8]| {
        let at = memmem::find(rest, title)? + title.len();
        Scan(&rest[at..]).duration()
    };
    Some(What::Safepoint(Safepoint {
        name: Some(name),
        reaching: Some(after(b"Reaching safepoint: ")?),
        total: after(b" Total: ")?,
    }))
}

//! Epsilon: it hands memory out and never takes it back (JEP 318).

use super::Said;
use crate::event::What;
use crate::scan::Scan;

/// `Heap: 1024M reserved, 128M (12.50%) committed, 52M (5.08%) used`; `Elastic TLABs decay enabled;
/// decay time: 1000ms` is detail.
pub fn read(message: &[u8]) -> Option<Said<'_>> {
    if message.starts_with(b"Elastic TLABs ") {
        return Some(Said::Detail);
    }
    let mut scan = Scan(message.strip_prefix(b"Heap: ")?);
    scan.size()?;
    scan.literal(b" reserved, ")?;
    let capacity = scan.size()?;
    scan.spaces();
    scan.parenthesis()?;
    scan.literal(b" committed, ")?;
    let used = scan.size()?;
    Some(What::Used { used, capacity }.into())
}

//! G1: regions, and the failure to move objects.

use super::Said;
use crate::event::{Failure, Size, Space, SpaceName, What};
use crate::scan::Scan;

/// `Eden regions: 6->0(6)`, `Old regions: 0->1`, `Humongous regions: 2->0`
pub fn regions(message: &[u8]) -> Option<Said<'_>> {
    let at = memchr::memmem::find(message, b" regions: ")?;
    let name = match &message[..at] {
        b"Eden" => SpaceName::Eden,
        b"Survivor" => SpaceName::Survivor,
        b"Old" => SpaceName::Old,
        b"Humongous" => SpaceName::Humongous,
        b"Archive" => SpaceName::Archive,
        _ => return None,
    };
    let mut scan = Scan(&message[at + b" regions: ".len()..]);
    let before = Size::Regions(scan.number()?);
    scan.literal(b"->")?;
    let after = Size::Regions(scan.number()?);
    let capacity = match scan.parenthesis() {
        Some(inside) => Some(Size::Regions(Scan(inside).number()?)),
        None => None,
    };
    scan.is_done().then_some(
        What::Space(Space {
            name,
            before,
            after,
            capacity,
        })
        .into(),
    )
}

/// `To-space exhausted` (until JDK 17; later the pause says `(Evacuation Failure: Allocation)`)
pub fn exhausted(message: &[u8]) -> Option<Said<'_>> {
    message
        .starts_with(b"To-space exhausted")
        .then_some(What::Failure(Failure::Evacuation).into())
}

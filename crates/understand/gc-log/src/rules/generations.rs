//! Serial and Parallel: the spaces of their generations; and metaspace, which all collectors write
//! alike.

use super::Said;
use crate::event::{Failure, Size, Space, SpaceName, What};
use crate::scan::Scan;

/// `DefNew: 17472K(19648K)->2175K(19648K) Eden: ...`, `ParOldGen: 0K(44032K)->2043K(44032K)`;
/// before JDK 14 `DefNew: 17294K->2176K(19648K)`
pub fn space(message: &[u8]) -> Option<Said<'_>> {
    let colon = memchr::memchr(b':', message).unwrap_or(message.len());
    let name = match &message[..colon] {
        b"DefNew" | b"PSYoungGen" | b"ParNew" => SpaceName::Young,
        b"Tenured" | b"ParOldGen" | b"PSOldGen" | b"CMS" => SpaceName::Old,
        // CMS, of what sweeping has left.
        b"Old" => SpaceName::Old,
        _ => return promotion_failed(message),
    };
    change(name, message.get(colon + 1..)?)
}

/// `Promotion failed`. With Shenandoah's generations (`Promotion failed, size 1026, has plab? yes,
/// ...`) the object stays young for another cycle, and nothing has failed.
pub fn promotion_failed(message: &[u8]) -> Option<Said<'_>> {
    if message.starts_with(b"Promotion failed, size ") {
        return Some(Said::Detail);
    }
    message
        .starts_with(b"Promotion failed")
        .then_some(What::Failure(Failure::Promotion).into())
}

/// `Metaspace: 131K(320K)->131K(320K) NonClass: ...`; ZGC writes `Metaspace: 0M used, 0M committed,
/// 1088M reserved`
pub fn metaspace(message: &[u8]) -> Option<Said<'_>> {
    let rest = message.strip_prefix(b"Metaspace:")?;
    change(SpaceName::Metaspace, rest).or_else(|| {
        let mut scan = Scan(rest);
        scan.spaces();
        let used = Size::Bytes(scan.size()?);
        scan.literal(b" used, ")?;
        let committed = Size::Bytes(scan.size()?);
        scan.literal(b" committed")?;
        Some(
            What::Space(Space {
                name: SpaceName::Metaspace,
                before: used,
                after: used,
                capacity: Some(committed),
            })
            .into(),
        )
    })
}

fn change(name: SpaceName, text: &[u8]) -> Option<Said<'static>> {
    let mut scan = Scan(text);
    scan.spaces();
    let before = Size::Bytes(scan.size()?);
    let _capacity_before = scan.parenthesis();
    scan.literal(b"->")?;
    let after = Size::Bytes(scan.size()?);
    let capacity = Scan(scan.parenthesis()?).size()?;
    Some(
        What::Space(Space {
            name,
            before,
            after,
            capacity: Some(Size::Bytes(capacity)),
        })
        .into(),
    )
}

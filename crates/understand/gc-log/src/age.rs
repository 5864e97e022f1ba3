//! Ages of living objects (`-XX:+PrintTenuringDistribution`, `gc+age`): all versions write them
//! alike.

use crate::event::What;
use crate::scan::Scan;

/// `- age   1:    1114112 bytes,    1114112 total`, `Desired survivor size 557056 bytes, new
/// threshold 1 (max 15)`
pub fn read(message: &[u8]) -> Option<What<'static>> {
    let mut scan = Scan(message);
    if scan.literal(b"- age").is_some() {
        scan.spaces();
        let age = scan.number()?;
        scan.literal(b":")?;
        scan.spaces();
        let bytes = scan.number()?;
        scan.literal(b" bytes")?;
        return Some(What::Age { age, bytes });
    }
    scan.literal(b"Desired survivor size ")?;
    let desired = scan.number()?;
    scan.literal(b" bytes, new threshold ")?;
    let threshold = scan.number()?;
    scan.literal(b" (max ")?;
    // Unified logging writes `(max threshold 15)`.
    let _ = scan.literal(b"threshold ");
    let most = scan.number()?;
    Some(What::Tenuring {
        desired,
        threshold,
        most,
    })
}

#[cfg(test)]
mod tests {
    use super::{What, read};

    #[test]
    fn of_all_versions() {
        let age = What::Age {
            age: 1,
            bytes: 1_114_112,
        };
        assert_eq!(
            read(b"- age   1:    1114112 bytes,    1114112 total"),
            Some(age)
        );
        let tenuring = What::Tenuring {
            desired: 557_056,
            threshold: 1,
            most: 15,
        };
        assert_eq!(
            read(b"Desired survivor size 557056 bytes, new threshold 1 (max 15)"),
            Some(tenuring)
        );
        assert_eq!(
            read(b"Desired survivor size 557056 bytes, new threshold 1 (max threshold 15)"),
            Some(tenuring)
        );
        assert_eq!(read(b"- age   1:    111"), None);
    }
}

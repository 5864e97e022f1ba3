//! What class files tell: the Java release they need and the servlet API that they refer to.

use super::archive::ClassSource;

/// Class files of one archive whose level is looked at.
const SAMPLE: usize = 2_000;
/// Bytes of one class file that are searched for names.
const SEARCHED: u64 = 1 << 20;

/// The Java release that a class file needs, from its first eight bytes (JVM Specification 4.1):
/// major version 61 is Java 17. `None` when it is no class file.
pub(crate) fn release_of(head: &[u8]) -> Option<u32> {
    let [0xca, 0xfe, 0xba, 0xbe, _, _, high, low, ..] = *head else {
        return None;
    };
    let major = u32::from(u16::from_be_bytes([high, low]));
    // 45 is Java 1.1, the oldest that a JVM takes.
    (45..=200).contains(&major).then(|| major - 44)
}

/// Whether a JVM of the lowest supported release would load this class file. Classes for newer
/// releases and module descriptors may need more.
pub(crate) fn is_plain_class(name: &str) -> bool {
    name.ends_with(".class")
        && !name.contains("META-INF/versions/")
        && !name.ends_with("module-info.class")
}

/// Highest release among at most `sample` of the class files below `prefix`.
pub(crate) fn highest_release(
    from: &mut dyn ClassSource,
    prefix: &str,
    sample: usize,
) -> Option<u32> {
    let classes = from.entries(&|name| name.starts_with(prefix) && is_plain_class(name));
    let chosen = spread(&classes, sample.min(SAMPLE));
    chosen
        .filter_map(|index| release_of(&from.bytes(index, 8)))
        .max()
}

/// At most `count` of the items, evenly spread.
fn spread(items: &[usize], count: usize) -> impl Iterator<Item = usize> {
    let step = items.len().div_ceil(count.max(1)).max(1);
    items.iter().copied().step_by(step)
}

/// Which of `names` occur in the class files below `prefix`. The constant pool holds the names of
/// all referenced classes as plain text (JVM Specification 4.4.7), so searching the bytes finds
/// them.
pub(crate) fn refers_to(
    from: &mut dyn ClassSource,
    prefix: &str,
    names: &[&'static str],
) -> Vec<&'static str> {
    let classes = from.entries(&|name| name.starts_with(prefix) && is_plain_class(name));
    let mut found = Vec::new();
    for index in spread(&classes, SAMPLE / 4) {
        let bytes = from.bytes(index, SEARCHED);
        for name in names {
            if !found.contains(name) && contains(&bytes, name.as_bytes()) {
                found.push(*name);
            }
        }
    }
    found
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_is_the_major_version_less_44() {
        assert_eq!(release_of(&[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61]), Some(17));
        assert_eq!(
            release_of(&[0xca, 0xfe, 0xba, 0xbe, 0xff, 0xff, 0, 69, 1]),
            Some(25)
        );
        assert_eq!(release_of(&[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0]), None);
        assert_eq!(release_of(b"PK\x03\x04\0\0\0\x3d"), None);
        assert_eq!(
            release_of(&[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 3]),
            None,
            "below 45 nothing was ever released"
        );
    }

    #[test]
    fn classes_for_newer_releases_do_not_count() {
        assert!(is_plain_class("BOOT-INF/classes/a/B.class"));
        assert!(!is_plain_class("META-INF/versions/25/a/B.class"));
        assert!(!is_plain_class("module-info.class"));
        assert!(!is_plain_class("a/B.java"));
    }

    #[test]
    fn a_sample_is_spread_and_bounded() {
        let items: Vec<usize> = (0..10).collect();
        assert_eq!(spread(&items, 3).collect::<Vec<_>>(), [0, 4, 8]);
        assert_eq!(spread(&items, 100).count(), 10);
        assert_eq!(spread(&[], 3).count(), 0);
    }
}

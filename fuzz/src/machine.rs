//! What the kernel tells of processes and mounts.

use crate::with_text;

/// Every mapping has one kind, and no byte is counted twice.
pub fn smaps(bytes: &[u8]) {
    use tacho_observe::process::{KnownRanges, Sizes, by_kind, kinds, parse_smaps};
    let text = String::from_utf8_lossy(bytes);
    let mappings = parse_smaps(&text);
    let known = KnownRanges {
        java_heap: Some(0xf000_0000..0x1_0000_0000),
        class_space: None,
    };
    assert_eq!(kinds(&mappings, &known).len(), mappings.len());
    let mut sum = Sizes::default();
    mappings.iter().for_each(|m| sum.add(&m.sizes));
    assert_eq!(by_kind(&mappings, &known).sum(), sum);
}

/// The command line and the environment of a process, which may hold anything.
pub fn process_words(bytes: &[u8]) {
    let wanted = format!("{}=1", tacho_launch::processes::MARK);
    let words = tacho_observe::process::joined(bytes);
    let marked = tacho_observe::process::has_variable(bytes, &wanted);
    let most = bytes.len() * '\u{fffd}'.len_utf8();
    assert!(words.is_none_or(|words| words.len() <= most && !words.contains('\0')));
    let holds = bytes
        .windows(wanted.len())
        .any(|at| at == wanted.as_bytes());
    assert!(holds || !marked, "a mark that is not there");
    let _ = tacho_attach::forbids_attaching(bytes);
}

/// `/proc/self/mountinfo` and, after a zero byte, `/proc/self/cgroup`.
pub fn mounts(bytes: &[u8]) {
    with_text(bytes, |text| {
        let (mountinfo, cgroup) = text.split_once('\0').unwrap_or((text, ""));
        let (_, pids) = tacho_cgroup::read_mounts(mountinfo, cgroup);
        assert!(pids <= cgroup.len());
    });
}

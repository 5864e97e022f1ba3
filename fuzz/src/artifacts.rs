//! What a subject is made of, and what its builds answer.

use crate::with_text;

/// The directory of entries, the manifest, class files, nested jars; as a jar and as a WAR, out of
/// memory.
pub fn jar(bytes: &[u8]) {
    use tacho_subject::{ArtifactKind, read_archive};
    for kind in [ArtifactKind::Jar, ArtifactKind::War] {
        let Some((facts, own)) = read_archive(bytes, kind) else {
            continue;
        };
        assert!(own.len() <= bytes.len(), "each package has an entry");
        assert!(facts.java_release.is_none_or(|release| release <= 156));
        assert_eq!(facts.servlet.is_some(), kind == ArtifactKind::War);
    }
}

/// What is one word a manifest's line, no more.
pub fn manifest(bytes: &[u8]) {
    let manifest = tacho_subject::Manifest::parse(bytes);
    assert!(manifest.class_path.len() <= bytes.len());
    let names = [&manifest.main_class, &manifest.start_class];
    assert!(names.into_iter().flatten().all(|name| !name.is_empty()));
}

/// By its magic number and its major version alone.
pub fn class_file(bytes: &[u8]) {
    let (release, _) = tacho_subject::read_class(bytes);
    let begins = bytes.len() >= 8 && bytes.starts_with(&[0xca, 0xfe, 0xba, 0xbe]);
    let major = bytes.get(6..8).map_or(0, |major| {
        u32::from(u16::from_be_bytes([major[0], major[1]]))
    });
    let expected = (begins && (45..=200).contains(&major)).then(|| major - 44);
    assert_eq!(release, expected);
}

/// A source map of inlined lines: a line is never that of a call outside the map.
pub fn source_map(bytes: &[u8]) {
    let map = String::from_utf8_lossy(bytes);
    let sites = tacho_subject::CallSites::parse(&map);
    let is_there = map.contains("*S KotlinDebug");
    assert!(is_there || sites == tacho_subject::CallSites::default());
    let _ = [0, 1, 41, u32::MAX].map(|line| sites.line(line));
}

/// What binds a class to others: never more names than bytes.
pub fn class_links(bytes: &[u8]) {
    if let Some(names) = tacho_subject::read_links(bytes) {
        assert!(names <= bytes.len());
        assert!(bytes.starts_with(&[0xca, 0xfe, 0xba, 0xbe]));
    }
}

/// Flags and variables of a start script, and each of its words put back: all of them put back is
/// the older script.
pub fn start_script(bytes: &[u8]) {
    let mut halves = bytes.splitn(2, |byte| *byte == 0);
    let mut half = || String::from_utf8_lossy(halves.next().unwrap_or_default()).into_owned();
    let (older, newer) = (half(), half());
    assert_eq!(tacho_subject::put_all_back(&older, &newer), older);
}

/// The JVM's two answers and the image's, parted by zero bytes; what is the same is no difference.
pub fn image_answer(bytes: &[u8]) {
    let mut parts = bytes.splitn(3, |byte| *byte == 0);
    let mut part = || parts.next().unwrap_or_default();
    let (first, second, image) = (part(), part(), part());
    let _ = tacho_runner::compare_answers([first, second], image);
    let same = tacho_runner::compare_answers([first, first], first);
    assert_eq!(same, None, "an answer departs from itself");
}

/// The image's log and, after a zero byte, the JVM's; what is to be added is JSON, and nothing is
/// where both say the same.
pub fn image_log(bytes: &[u8]) {
    with_text(bytes, |text| {
        let (image, jvm) = text.split_once('\0').unwrap_or((text, ""));
        if let Some((seen, document)) = tacho_runner::missing_metadata(image, jvm) {
            assert!(
                !seen.contains(|c: char| c.is_control() && c != '\t'),
                "{seen:?}"
            );
            let document: serde_json::Value = match serde_json::from_str(&document) {
                Ok(document) => document,
                Err(error) => panic!("{error} in {document}"),
            };
            assert!(document.is_object());
        }
    });
}

/// What a launch prints: the claims of frameworks, known complaints, without anything that a
/// terminal would obey.
pub fn launch_log(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            if let Some(claim) = tacho_launch::claims::in_line(line) {
                assert!(claim.startup_ms.is_finite() && claim.startup_ms >= 0.0);
            }
            let _ = tacho_fit::tells_of_memory(line);
            tacho_launch::log::plain(line).into_owned()
        })
        .collect();
    if let Some(said) = tacho_launch::failure::complaint(&lines) {
        assert!(!said.is_empty() && !said.contains('\u{1b}'));
    }
}

/// A base comes from anywhere: nothing of it is written outside of the folder that it is given, and
/// what is taken for an image has the layers that its description names.
pub fn oci_base(bytes: &[u8]) {
    let Ok(outer) = tempfile::tempdir() else {
        return;
    };
    let scratch = outer.path().join("scratch");
    if std::fs::create_dir(&scratch).is_err() {
        return;
    }
    let platform = tacho_oci::Platform(tacho_oci::Arch::Amd64);
    let base = tacho_oci::Base::read_tar(bytes, &platform, &scratch);
    let beside = std::fs::read_dir(outer.path()).map_or(0, Iterator::count);
    assert_eq!(beside, 1, "something was written outside of its folder");
    if let Ok(base) = base {
        let process = tacho_oci::Process::default();
        let image = tacho_oci::Image::of(platform, Some(&base), Vec::new(), &process);
        assert!(image.is_ok(), "a base that was read cannot be built upon");
    }
}

//! The end of a log, and its lines without colours.

use std::borrow::Cow;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// At most this much is read, however long the log is.
const MOST_BYTES: u64 = 256 * 1024;
/// A line is cut after this many characters.
const MOST_CHARACTERS: usize = 2000;

/// The last `count` lines of a log that begins at the byte `from` (a launch may share its file with
/// an earlier one). Colours are removed; bytes that are not UTF-8 are replaced. Messages of a JVM
/// that writes an archive of classes are left out when there are other lines: the JVM prints one
/// for each class that does not go into the archive, after the line that says why a start failed.
pub fn last_lines(path: &Path, from: u64, count: usize) -> io::Result<Vec<String>> {
    let mut file = tacho_files::open(path)?;
    let length = file.metadata()?.len();
    let start = from.max(length.saturating_sub(MOST_BYTES));
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut lines: Vec<&str> = text.lines().collect();
    if start > from && lines.len() > 1 {
        // The first line began before what was read.
        lines.remove(0);
    }
    if lines.iter().any(|line| !is_of_an_archive(line)) {
        lines.retain(|line| !is_of_an_archive(line));
    }
    Ok(lines
        .iter()
        .skip(lines.len().saturating_sub(count))
        .map(|line| plain(line).chars().take(MOST_CHARACTERS).collect())
        .collect())
}

/// Whether unified logging wrote it about an archive; its tags come last (JEP 158):
/// `[29.048s][warning][aot] Skipping`.
fn is_of_an_archive(line: &str) -> bool {
    line.starts_with('[') && ["][aot", "][cds"].iter().any(|tag| line.contains(tag))
}

/// A line without ANSI escape sequences (ECMA-48: `ESC [` parameters, final byte `@` to `~`) and
/// without other control characters.
#[must_use]
pub fn plain(line: &str) -> Cow<'_, str> {
    if !line.contains(|c: char| c.is_control() && c != '\t') {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        if c == '\u{1b}' {
            if characters.next_if_eq(&'[').is_some() {
                while characters
                    .next()
                    .is_some_and(|c| !('\u{40}'..='\u{7e}').contains(&c))
                {}
            }
        } else if c == '\t' || !c.is_control() {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::fmt::Write as _;

    fn log_of(text: &[u8]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    }

    #[test]
    fn the_last_lines_come_in_their_order() {
        let log = log_of(b"one\ntwo\nthree\n");
        assert_eq!(last_lines(log.path(), 0, 2).unwrap(), ["two", "three"]);
        assert_eq!(last_lines(log.path(), 4, 9).unwrap(), ["two", "three"]);
        assert_eq!(last_lines(log.path(), 14, 9).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn classes_that_go_into_no_archive_do_not_hide_why_a_start_failed() {
        let skipped =
            "[29.048s][warning][aot] Skipping jdk/proxy2/$Proxy29: Unsupported location\n";
        let log =
            log_of(format!("Port 8080 was already in use.\n{}", skipped.repeat(40)).as_bytes());
        assert_eq!(
            last_lines(log.path(), 0, 3).unwrap(),
            ["Port 8080 was already in use."]
        );
        // Where it is all there is, it is better than nothing.
        let alone = log_of(skipped.repeat(4).as_bytes());
        assert_eq!(last_lines(alone.path(), 0, 3).unwrap().len(), 3);
    }

    #[test]
    fn a_long_log_is_read_from_its_end_only() {
        let mut text = String::new();
        for i in 0..100_000 {
            writeln!(text, "line {i}").unwrap();
        }
        let log = log_of(text.as_bytes());
        let lines = last_lines(log.path(), 0, usize::MAX).unwrap();
        assert_eq!(lines.last().unwrap(), "line 99999");
        assert!(lines.len() < 40_000 && lines[0].starts_with("line "));
    }

    #[test]
    fn bytes_that_are_not_text_are_replaced() {
        let log = log_of(b"a\xffb\n");
        assert_eq!(last_lines(log.path(), 0, 5).unwrap(), ["a\u{fffd}b"]);
    }

    #[test]
    fn colours_are_removed() {
        assert_eq!(
            plain("\u{1b}[2m12:00\u{1b}[0;39m \u{1b}[32mINFO\u{1b}[m ok"),
            "12:00 INFO ok"
        );
        assert_eq!(plain("no colours\there"), "no colours\there");
        assert_eq!(plain("cut off \u{1b}[3"), "cut off ");
    }

    proptest! {
        #[test]
        fn no_control_character_is_left(line in any::<String>()) {
            prop_assert!(!plain(&line).contains(|c: char| c.is_control() && c != '\t'));
        }
    }
}

//! Waiting for a line of the log.

use crate::log::plain;
use regex::Regex;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Bytes that are read at one look. When a subject prints faster, the next looks catch up.
const MOST_AT_ONCE: u64 = 256 * 1024;
/// A line is cut here.
const MOST_LINE: usize = 64 * 1024;

/// A log that grows.
#[derive(Debug)]
pub(super) struct LogTail {
    file: File,
    position: u64,
    line: Vec<u8>,
}

impl LogTail {
    /// Begins at this byte.
    pub(super) fn open(path: &Path, from: u64) -> io::Result<Self> {
        Ok(Self {
            file: tacho_files::open(path)?,
            position: from,
            line: Vec::new(),
        })
    }

    /// The first new line that matches. The last, unfinished line is checked, too, because a prompt
    /// has no line break.
    pub(super) fn find(&mut self, pattern: &Regex) -> io::Result<Option<String>> {
        // A look at a log that did not grow costs this one system call.
        if self.file.metadata()?.len() <= self.position {
            return Ok(None);
        }
        // Skips what was dropped from the log meanwhile: it reads as zeros.
        let data = tacho_files::log::after_hole(&self.file, self.position)?;
        if let Some(data) = data.filter(|data| *data > self.position) {
            self.position = data;
            self.line.clear();
        }
        self.file.seek(SeekFrom::Start(self.position))?;
        let mut bytes = Vec::new();
        (&self.file).take(MOST_AT_ONCE).read_to_end(&mut bytes)?;
        self.position += bytes.len() as u64;
        for part in bytes.split_inclusive(|b| *b == b'\n') {
            let room = MOST_LINE.saturating_sub(self.line.len());
            self.line.extend(part.iter().take(room));
            let text = String::from_utf8_lossy(&self.line);
            let line = plain(text.trim_end());
            if pattern.is_match(&line) {
                return Ok(Some(line.into_owned()));
            }
            if part.ends_with(b"\n") {
                self.line.clear();
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn lines_are_found_as_they_come_also_in_pieces() {
        let mut log = tempfile::NamedTempFile::new().unwrap();
        writeln!(log, "server ready (an earlier launch)").unwrap();
        let from = log.as_file().metadata().unwrap().len();
        let mut tail = LogTail::open(log.path(), from).unwrap();
        let pattern = Regex::new("ready$").unwrap();
        assert_eq!(tail.find(&pattern).unwrap(), None);
        write!(log, "starting\nser").unwrap();
        assert_eq!(tail.find(&pattern).unwrap(), None);
        write!(log, "ver \u{1b}[32mready\u{1b}[m").unwrap();
        assert_eq!(tail.find(&pattern).unwrap().unwrap(), "server ready");
    }

    #[test]
    fn a_line_without_end_is_not_kept() {
        let mut log = tempfile::NamedTempFile::new().unwrap();
        log.write_all(&vec![b'x'; 300 * 1024]).unwrap();
        let mut tail = LogTail::open(log.path(), 0).unwrap();
        let pattern = Regex::new("ready").unwrap();
        assert_eq!(tail.find(&pattern).unwrap(), None);
        assert!(tail.line.len() <= MOST_LINE);
    }
}

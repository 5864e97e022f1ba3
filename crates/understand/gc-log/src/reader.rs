//! From bytes to events.

use crate::decorations::At;
use crate::event::{Event, What};
use crate::foreign::Foreign;
use crate::line::{Line, Written};
use crate::lines::{Lines, Unknown};
use crate::nested::NestedFull;
use crate::prefix;
use crate::preunified::{Read, Records};
use crate::scan::{digits, text};
use crate::wrapping::Wrapping;

/// Of a line longer than this the beginning is read.
pub const MAX_LINE: usize = 64 * 1024;

/// Reads a log in pieces of any size.
///
/// ```
/// # use tacho_gc_log::{Reader, What};
/// let mut reader = Reader::default();
/// let mut pauses = 0;
/// let mut count = |event: &tacho_gc_log::Event<'_>| {
///     pauses += u32::from(matches!(event.what, What::Pause(_)));
/// };
/// reader.feed(b"[0.056s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pa", &mut count);
/// reader.feed(b"use) 16M->4M(64M) 4.2", &mut count);
/// reader.feed(b"49ms\nhello\n", &mut count);
/// let lines = reader.end(&mut count);
/// assert_eq!((pauses, lines.no_log), (1, 1));
/// ```
#[derive(Debug, Default)]
pub struct Reader {
    /// The begin of a line whose end has not come yet.
    begun: Vec<u8>,
    /// That line is longer than is kept.
    is_cut: bool,
    /// The last byte was a carriage return: a newline that follows belongs to it.
    after_return: bool,
    lines: Lines,
    unknown: Unknown,
    wrapping: Wrapping,
    records: Records,
    /// The last line that was understood was of a JVM before version 9.
    is_preunified: bool,
    /// The line that began the record under way had a prefix in brackets, or the last line where
    /// there is none.
    is_prefixed: bool,
    nested: NestedFull,
}

impl Reader {
    /// Reads the next bytes, and tells every event of the lines that end in them.
    pub fn feed(&mut self, mut bytes: &[u8], tell: &mut impl FnMut(&Event<'_>)) {
        self.lines.bytes += bytes.len() as u64;
        if std::mem::take(&mut self.after_return) {
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        if !self.begun.is_empty() || self.is_cut {
            let Some(end) = line_end(bytes) else {
                self.keep(bytes);
                return;
            };
            self.keep(&bytes[..end]);
            self.finish_begun(tell);
            bytes = self.behind_end(bytes, end);
        }
        while let Some(end) = line_end(bytes) {
            self.line(&bytes[..end], tell);
            bytes = self.behind_end(bytes, end);
        }
        self.keep(bytes);
    }

    /// What follows a line end: `\n`, `\r\n`, or `\r` alone as some editors leave it.
    fn behind_end<'a>(&mut self, bytes: &'a [u8], end: usize) -> &'a [u8] {
        let rest = &bytes[end + 1..];
        if bytes[end] != b'\r' {
            return rest;
        }
        self.after_return = rest.is_empty();
        rest.strip_prefix(b"\n").unwrap_or(rest)
    }

    /// The input has ended: tells the last line when it is whole though nothing ends it. Another
    /// input may follow.
    pub fn end_of_input(&mut self, tell: &mut impl FnMut(&Event<'_>)) {
        self.after_return = false;
        let mut is_cut_off = false;
        if !self.begun.is_empty() || self.is_cut {
            let line = std::mem::take(&mut self.begun);
            self.is_cut = false;
            // A cut number cannot be recognised: `0->1` may have been `0->12`. A line that ends in
            // a unit, such as `4.249ms`, is whole.
            is_cut_off = !is_whole(&line);
            let bare = self.without_prefix(trimmed(&line));
            if !is_cut_off || !matches!(Line::read(bare), Line::Event(_)) {
                self.read(&line, tell);
            } else {
                self.lines.all += 1;
                self.lines.details += 1;
            }
            self.begun = line;
            self.begun.clear();
        }
        let nested = &mut self.nested;
        // A line that is cut off leaves its record open, too: that is one end.
        is_cut_off |= self.records.end(&mut |event| nested.take(event, tell));
        self.lines.cut_off += u64::from(is_cut_off);
        self.nested.end(tell);
    }

    /// Everything has been read.
    #[must_use]
    pub fn end(mut self, tell: &mut impl FnMut(&Event<'_>)) -> Lines {
        self.end_of_input(tell);
        self.lines
    }

    /// What the lines were so far.
    #[must_use]
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = MAX_LINE - self.begun.len();
        self.is_cut |= bytes.len() > room;
        self.begun
            .extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn finish_begun(&mut self, tell: &mut impl FnMut(&Event<'_>)) {
        let line = std::mem::take(&mut self.begun);
        self.lines.too_long += u64::from(self.is_cut);
        self.is_cut = false;
        self.read(&line, tell);
        self.begun = line;
        self.begun.clear();
    }

    fn line(&mut self, line: &[u8], tell: &mut impl FnMut(&Event<'_>)) {
        if line.len() > MAX_LINE {
            self.lines.too_long += 1;
            self.read(&line[..MAX_LINE], tell);
        } else {
            self.read(line, tell);
        }
    }

    fn read(&mut self, line: &[u8], tell: &mut impl FnMut(&Event<'_>)) {
        let line = trimmed(line);
        self.lines.all += 1;
        let Some(inner) = self.wrapping.peel(line) else {
            return self.bare(line, tell);
        };
        let mut is_first = true;
        for line in inner.split(|b| matches!(b, b'\n' | b'\r')) {
            let line = line.trim_ascii_end();
            if is_first || !line.is_empty() {
                self.lines.all += u64::from(!is_first);
                self.bare(line, tell);
            }
            is_first = false;
        }
    }

    /// A line as the JVM wrote it, but for a prefix.
    fn bare(&mut self, line: &[u8], tell: &mut impl FnMut(&Event<'_>)) {
        let line = self.without_prefix(line);
        let is_decorated = matches!(line, [b'[', b'0'..=b'9', ..]);
        let is_likely_record = self.is_preunified && !is_decorated;
        if is_likely_record && self.record(line, tell) {
            return;
        }
        match Line::read(line) {
            Line::Event(event) => {
                self.is_preunified = false;
                self.lines.events += 1;
                self.nested.take(&event, tell);
            }
            Line::Detail(written) => {
                self.lines.details += 1;
                self.instant(written, tell);
            }
            Line::Unknown(written) => {
                self.unknown.count(&mut self.lines, line);
                self.instant(written, tell);
            }
            Line::OtherTag(written) => {
                self.lines.other_tags += 1;
                self.count_dropped(line);
                self.instant(written, tell);
            }
            Line::NoLog if !is_likely_record && self.record(line, tell) => {
                self.is_preunified = true;
            }
            Line::NoLog => self.no_log(line, tell),
        }
    }

    /// Without the brackets that a log shipper has put before it. Where they stand before the first
    /// line of a record, they stand before all of them.
    fn without_prefix<'a>(&mut self, line: &'a [u8]) -> &'a [u8] {
        let is_within_record = self.records.is_within_one();
        let goes_on = is_within_record && self.is_prefixed;
        let mut bare = line;
        while let Some(rest) = prefix::behind(bare, goes_on) {
            bare = rest;
        }
        if !is_within_record {
            self.is_prefixed = bare.len() < line.len();
        }
        bare
    }

    /// A line of a JVM before version 9. Whether it was one.
    fn record(&mut self, line: &[u8], tell: &mut impl FnMut(&Event<'_>)) -> bool {
        let nested = &mut self.nested;
        match self
            .records
            .line(line, &mut |event| nested.take(event, tell))
        {
            Read::Events => self.lines.events += 1,
            Read::Detail => self.lines.details += 1,
            Read::Broken => self.unknown.count(&mut self.lines, line),
            Read::NotOurs => return false,
        }
        true
    }

    fn instant(&mut self, written: Written, tell: &mut impl FnMut(&Event<'_>)) {
        if written.at.uptime.is_some() || written.at.wall.is_some() {
            self.nested.take(
                &Event {
                    at: written.at,
                    collection: written.collection,
                    what: What::Instant,
                },
                tell,
            );
        }
    }

    fn count_dropped(&mut self, line: &[u8]) {
        let dropped = dropped(line).unwrap_or(0);
        self.lines.dropped = self.lines.dropped.saturating_add(dropped);
    }

    fn no_log(&mut self, line: &[u8], tell: &mut impl FnMut(&Event<'_>)) {
        if let Some(what) = out_of_memory(line) {
            self.nested.take(
                &Event {
                    at: At::default(),
                    collection: None,
                    what,
                },
                tell,
            );
        }
        self.count_dropped(line);
        if let Some(foreign) = Foreign::of(line) {
            self.lines.foreign.insert(foreign);
        }
        if looks_like_collection(line) {
            self.unknown.count(&mut self.lines, line);
        } else {
            self.lines.no_log += 1;
        }
    }
}

/// `346 messages dropped due to async logging`, as the JVM writes it under no tag where a log with
/// `-Xlog:async` had no room left.
fn dropped(line: &[u8]) -> Option<u64> {
    let end = memchr::memmem::find(line, b" messages dropped due to async logging")?;
    let number = line[..end].rsplit(|byte| *byte == b' ').next()?;
    Some(digits(number)?.0)
}

fn line_end(bytes: &[u8]) -> Option<usize> {
    memchr::memchr2(b'\n', b'\r', bytes)
}

/// Without what Windows and some collectors put at the end, and without the mark that some editors
/// put at the beginning of a file.
fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    line.trim_ascii_end()
}

/// Whether the last line cannot go on: it ends in a unit or a bracket.
fn is_whole(line: &[u8]) -> bool {
    matches!(
        line.trim_ascii_end().last(),
        Some(b's' | b')' | b']' | b'}')
    )
}

/// `java.lang.OutOfMemoryError: Java heap space`, as programs and JVMs print it.
fn out_of_memory(line: &[u8]) -> Option<What<'_>> {
    const ERROR: &[u8] = b"java.lang.OutOfMemoryError: ";
    let at = memchr::memmem::find(line, ERROR)? + ERROR.len();
    Some(What::OutOfMemory(text(line[at..].trim_ascii())?))
}

/// A line that no rule knows, and that tells of a collection all the same.
fn looks_like_collection(line: &[u8]) -> bool {
    let has = |text: &[u8]| memchr::memmem::find(line, text).is_some();
    let names = has(b"GC")
        && (has(b"[GC ") || has(b"[Full GC") || has(b"Pause Young") || has(b"Pause Full"));
    names && (has(b"->") || has(b" secs]") || line.ends_with(b"ms"))
}

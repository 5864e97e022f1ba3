//! From bytes to events.

use crate::event::Event;
use crate::line::Line;
use crate::lines::{Lines, Unknown};

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
    lines: Lines,
    unknown: Unknown,
}

impl Reader {
    /// Reads the next bytes, and tells every event of the lines that end in them.
    pub fn feed(&mut self, mut bytes: &[u8], tell: &mut impl FnMut(&Event<'_>)) {
        self.lines.bytes += bytes.len() as u64;
        if !self.begun.is_empty() || self.is_cut {
            let Some(end) = memchr::memchr(b'\n', bytes) else {
                self.keep(bytes);
                return;
            };
            self.keep(&bytes[..end]);
            self.finish_begun(tell);
            bytes = &bytes[end + 1..];
        }
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            self.line(&bytes[..end], tell);
            bytes = &bytes[end + 1..];
        }
        self.keep(bytes);
    }

    /// The input has ended: tells the last line when it is whole though nothing ends it. Another
    /// input may follow.
    pub fn end_of_input(&mut self, tell: &mut impl FnMut(&Event<'_>)) {
        if self.begun.is_empty() && !self.is_cut {
            return;
        }
        self.lines.cut_off += 1;
        let line = std::mem::take(&mut self.begun);
        self.is_cut = false;
        // What a number lacks cannot be seen, but a unit at the end can: `0->1` may have been
        // `0->12`, `4.249ms` is whole.
        match Line::read(trimmed(&line)) {
            Line::Event(event) if !is_open(&line) => self.count(Line::Event(event), &line, tell),
            Line::Event(_) => self.count(Line::Detail, &line, tell),
            other => self.count(other, &line, tell),
        }
        self.begun = line;
        self.begun.clear();
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
        self.count(Line::read(line), line, tell);
    }

    fn count(&mut self, read: Line<'_>, line: &[u8], tell: &mut impl FnMut(&Event<'_>)) {
        self.lines.all += 1;
        match read {
            Line::Event(event) => {
                self.lines.events += 1;
                tell(&event);
            }
            Line::Detail => self.lines.details += 1,
            Line::Unknown => self.unknown.count(&mut self.lines, line),
            Line::OtherTag => self.lines.other_tags += 1,
            Line::NoLog => self.lines.no_log += 1,
        }
    }
}

/// Without what Windows and some collectors put at the end.
fn trimmed(line: &[u8]) -> &[u8] {
    line.trim_ascii_end()
}

/// Whether the last line may go on: it does not end in a unit or a bracket.
fn is_open(line: &[u8]) -> bool {
    !(line.ends_with(b"ms") || line.ends_with(b"]"))
}

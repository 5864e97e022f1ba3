//! What one line is.

use crate::decorations::{self, Decorations};
use crate::event::Event;
use crate::rules::{self, Said};
use crate::rules::{native_image, safepoint};
use crate::scan::digits;

/// What a line is. Every line is exactly one of these.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Line<'a> {
    /// Understood, and told.
    Event(Event<'a>),
    /// Of garbage collection and known; nothing is taken from it.
    Detail,
    /// Of garbage collection, but no rule knows it.
    Unknown,
    /// Of another tag of the JVM's log.
    OtherTag,
    /// No log line: what the program itself has written.
    NoLog,
}

impl<'a> Line<'a> {
    /// Reads a line, without its line end.
    pub fn read(line: &'a [u8]) -> Self {
        let (decorations, message) = decorations::split(line);
        let read = match decorations {
            Some(decorations) => decorated(&decorations, message),
            None => bare(message),
        };
        match read {
            Self::NoLog => embedded(line).unwrap_or(Self::NoLog),
            read => read,
        }
    }
}

fn decorated<'a>(decorations: &Decorations<'a>, message: &'a [u8]) -> Line<'a> {
    let tags = decorations.tags;
    let event = |collection, what| {
        Line::Event(Event {
            at: decorations.at,
            collection,
            what,
        })
    };
    if tags.is_some_and(|tags| tags.starts_with(b"safepoint")) {
        return safepoint::read(message).map_or(Line::OtherTag, |what| event(None, what));
    }
    if tags.is_some_and(|tags| !is_gc(tags)) {
        return Line::OtherTag;
    }
    let (collection, rest) = numbered(message);
    match rules::read(rest, collection, true) {
        Some(Said::What(what)) => event(collection, what),
        Some(Said::Detail) => Line::Detail,
        None if decorations.is_debug => Line::Detail,
        None if tags.is_some_and(rules::is_detail_tag) || rules::is_detail(rest) => Line::Detail,
        None if tags.is_some() => Line::Unknown,
        None => untagged(collection, rest).unwrap_or(Line::OtherTag),
    }
}

/// Without tags, the number says that a line is of garbage collection, and its first word whether
/// it should have been understood.
fn untagged(collection: Option<u64>, message: &[u8]) -> Option<Line<'static>> {
    collection?;
    let is_headline = rules::is_headline(message);
    Some(if is_headline {
        Line::Unknown
    } else {
        Line::Detail
    })
}

fn is_gc(tags: &[u8]) -> bool {
    tags == b"gc" || tags.starts_with(b"gc,")
}

/// A line without decorations: `-Xlog:gc*:stdout:none`, an older native image, or the program's
/// own.
fn bare(line: &[u8]) -> Line<'_> {
    if let Some((at, said)) = native_image::bracketed(line) {
        return match said {
            Said::What(what) => Line::Event(Event {
                at,
                collection: None,
                what,
            }),
            Said::Detail => Line::Detail,
        };
    }
    let (collection, rest) = numbered(line);
    match rules::read(rest, collection, false) {
        Some(Said::What(what)) => Line::Event(Event {
            at: decorations::At::default(),
            collection,
            what,
        }),
        Some(Said::Detail) => Line::Detail,
        None => untagged(collection, rest).unwrap_or(Line::NoLog),
    }
}

/// `GC(7) Pause ...`: the number, and what follows it.
fn numbered(message: &[u8]) -> (Option<u64>, &[u8]) {
    let numbered = || {
        let (number, rest) = digits(message.strip_prefix(b"GC(")?)?;
        Some((Some(number), rest.strip_prefix(b")")?))
    };
    match numbered() {
        Some((number, rest)) => (number, rest.strip_prefix(b" ").unwrap_or(rest)),
        None => (None, message),
    }
}

/// A log line after something that the program has written without ending its line.
fn embedded(line: &[u8]) -> Option<Line<'_>> {
    let begin = tagged(line).or_else(|| native_image::find(line))?;
    if begin == 0 {
        return None;
    }
    let found = Line::read(&line[begin..]);
    matches!(found, Line::Event(_) | Line::Detail).then_some(found)
}

/// Where the decorations of `...][gc...` begin.
fn tagged(line: &[u8]) -> Option<usize> {
    let mut end = memchr::memmem::find(line, b"][gc")?;
    loop {
        let begin = memchr::memrchr(b'[', &line[..end])?;
        match begin.checked_sub(1) {
            Some(before) if line[before] == b']' => end = before,
            _ => return Some(begin),
        }
    }
}

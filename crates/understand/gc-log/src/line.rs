//! What one line is.

use crate::decorations::{self, At, Decorations};
use crate::event::Event;
use crate::rules::{self, Said};
use crate::rules::{native_image, safepoint};
use crate::scan::digits;

/// What a line is. Every line is exactly one of these.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Line<'a> {
    /// Understood, and told.
    Event(Event<'a>),
    /// Of garbage collection; there is nothing to count in it.
    Detail(Written),
    /// Of garbage collection and with figures, but no rule knows it.
    Unknown(Written),
    /// Of another tag of the JVM's log.
    OtherTag(Written),
    /// No log line: what the program itself has written.
    NoLog,
}

/// When a line was written, and of which collection, as far as it says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Written {
    /// When.
    pub at: At,
    /// The number in `GC(7)`.
    pub collection: Option<u64>,
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
    let at = decorations.at;
    let event = |collection, what| {
        Line::Event(Event {
            at,
            collection,
            what,
        })
    };
    let unnumbered = Written {
        at,
        collection: None,
    };
    // Without tags the words tell.
    if tags.is_none_or(|tags| tags.starts_with(b"safepoint")) {
        match safepoint::read(message) {
            Some(what) => return event(None, what),
            None if tags.is_some() => return Line::OtherTag(unnumbered),
            None => {}
        }
    }
    if tags.is_some_and(|tags| !is_gc(tags)) {
        return Line::OtherTag(unnumbered);
    }
    let (collection, rest) = numbered(message);
    let written = Written { at, collection };
    match rules::read(rest, collection, true) {
        Some(Said::What(what)) => event(collection, what),
        Some(Said::Detail) => Line::Detail(written),
        None if decorations.is_debug => Line::Detail(written),
        None if tags.is_some_and(rules::is_detail_tag) => Line::Detail(written),
        None if tags.is_some() && rules::has_figures(rest) => Line::Unknown(written),
        None if tags.is_some() => Line::Detail(written),
        None => untagged(written, rest).unwrap_or(Line::OtherTag(written)),
    }
}

/// Without tags, the number says that a line is of garbage collection, and its first word whether
/// it should have been understood.
fn untagged(written: Written, message: &[u8]) -> Option<Line<'static>> {
    written.collection?;
    Some(if rules::is_headline(message) {
        Line::Unknown(written)
    } else {
        Line::Detail(written)
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
            Said::Detail => Line::Detail(Written {
                at,
                collection: None,
            }),
        };
    }
    if line.starts_with(b"Safepoint \"")
        && let Some(what) = safepoint::read(line)
    {
        return Line::Event(Event {
            at: At::default(),
            collection: None,
            what,
        });
    }
    let (collection, rest) = numbered(line);
    let written = Written {
        at: At::default(),
        collection,
    };
    match rules::read(rest, collection, false) {
        Some(Said::What(what)) => Line::Event(Event {
            at: At::default(),
            collection,
            what,
        }),
        Some(Said::Detail) => Line::Detail(written),
        None => untagged(written, rest).unwrap_or(Line::NoLog),
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
    let begin = tagged(line)
        .or_else(|| numbered_behind(line))
        .or_else(|| native_image::find(line))?;
    if begin == 0 {
        return None;
    }
    let found = Line::read(&line[begin..]);
    matches!(found, Line::Event(_) | Line::Detail(_)).then_some(found)
}

/// Where `[0.611s] GC(7) Pause ...` begins, or without decorations `GC(7) Pause ...`.
fn numbered_behind(line: &[u8]) -> Option<usize> {
    let number = memchr::memmem::find(line, b"GC(")?;
    let before = line[..number].trim_ascii_end();
    match before.last() {
        Some(b']') => groups_before(line, before.len() - 1),
        _ => Some(number),
    }
}

/// Where the decorations of `...][gc...` begin.
fn tagged(line: &[u8]) -> Option<usize> {
    groups_before(line, memchr::memmem::find(line, b"][gc")?)
}

/// Where the first of the groups in brackets begins of which the last ends at `end`.
fn groups_before(line: &[u8], mut end: usize) -> Option<usize> {
    loop {
        let begin = memchr::memrchr(b'[', &line[..end])?;
        match begin.checked_sub(1) {
            Some(before) if line[before] == b']' => end = before,
            _ => return Some(begin),
        }
    }
}

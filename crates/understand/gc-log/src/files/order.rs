//! The order in which the files of a rotation were written, and those of several JVMs one after the
//! other.
//!
//! The order follows the wall clock. Without it, uptimes and the numbers of collections show which
//! file goes on where another one ends. Files that are joined in this way are of one JVM. The last
//! JVM is the one whose file has no number in its name (`gc.log`) or is marked as the current one
//! (`gc.log.3.current`); failing that, the files' times decide.

use super::{Part, text};
use crate::decorations::At;
use crate::event::{Event, What};
use crate::reader::Reader;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::time::SystemTime;

/// Bytes of the beginning and of the end that are looked at.
const LOOKED_AT: usize = 64 * 1024;
/// The uptime of lines that threads write at the same time may fall by a little, in nanoseconds.
const SLACK: u64 = 1_000_000_000;

/// From where to where a file goes.
#[derive(Debug, Clone, Default)]
pub struct Span {
    first: At,
    last: At,
    first_number: Option<u64>,
    last_number: Option<u64>,
    modified: Option<SystemTime>,
    /// The log, and the file's number: of `gc.log.7`.
    place: Option<(String, u64)>,
}

impl Span {
    /// Looks at the beginning and the end of a file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn of(part: &Part) -> io::Result<Self> {
        let (head, tail) = ends(text::of(part.open()?)?)?;
        let mut span = Self {
            modified: std::fs::metadata(part.path())
                .and_then(|m| m.modified())
                .ok(),
            place: place(&part.file_name()),
            ..Self::default()
        };
        for lines in [head, tail] {
            let mut reader = Reader::default();
            let mut take = |event: &Event<'_>| span.take(event);
            reader.feed(&lines, &mut take);
            let _lines = reader.end(&mut take);
        }
        Ok(span)
    }

    fn take(&mut self, event: &Event<'_>) {
        if event.at != At::default() {
            if self.first == At::default() {
                self.first = event.at;
            }
            self.last = event.at;
        }
        if matches!(event.what, What::Pause(_) | What::Cycle(_)) && event.collection.is_some() {
            self.first_number = self.first_number.or(event.collection);
            self.last_number = event.collection;
        }
    }

    /// How well another file goes on where this one ends: the less, the better; `None` when it
    /// cannot.
    fn gap(&self, next: &Self) -> Option<(bool, u64, u64)> {
        let (ended, begins) = (self.last.uptime?, next.first.uptime?);
        if begins.checked_add(SLACK)? < ended {
            return None;
        }
        // A rotation may be quicker than the slack: the nearest goes on.
        let time = begins.abs_diff(ended);
        // Collections of several generations run at once, and a rotation may be quicker than the
        // clock: where the name has the next number, and the time fits, it is the next.
        let names = self.place.as_ref().zip(next.place.as_ref());
        let is_next = names.is_some_and(|((log, this), (other, next))| {
            log == other && this + 1 == *next && time <= SLACK
        });
        if is_next {
            return Some((false, 0, time));
        }
        let number = match (self.last_number, next.first_number) {
            // A collection that is nested in another one is told before it.
            (Some(last), Some(next)) => next.saturating_add(2).checked_sub(last)?.saturating_sub(3),
            _ => 0,
        };
        Some((true, number, time))
    }
}

/// The first and the last bytes of a text; the last from the begin of a line.
fn ends(mut text: impl Read) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let mut head = Vec::with_capacity(LOOKED_AT);
    (&mut text).take(LOOKED_AT as u64).read_to_end(&mut head)?;
    let mut tail = VecDeque::new();
    let mut piece = vec![0; LOOKED_AT];
    loop {
        match text.read(&mut piece) {
            Ok(0) => break,
            Ok(length) => {
                tail.extend(&piece[..length]);
                let more = tail.len().saturating_sub(LOOKED_AT);
                tail.drain(..more);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let tail: Vec<u8> = tail.into();
    let begin = tail
        .iter()
        .position(|b| *b == b'\n')
        .map_or(0, |end| end + 1);
    Ok((head, tail[begin.min(tail.len())..].to_vec()))
}

/// The parts in their order; those without an instant stay where they are, after the others.
pub fn in_order(parts: Vec<(Part, Span)>) -> Vec<Part> {
    // One that was just begun has no instant yet, and a file beside the log has none.
    let (mut by_clock, without): (Vec<_>, Vec<_>) = parts
        .into_iter()
        .partition(|(_, span)| span.first.wall.is_some());
    let has_uptime = |(_, span): &(Part, Span)| span.first.uptime.is_some();
    if !by_clock.is_empty() && !without.iter().any(has_uptime) {
        by_clock.sort_by_key(|(_, span)| span.first.wall);
        let all = by_clock.into_iter().chain(without);
        return all.map(|(part, _)| part).collect();
    }
    let all = by_clock.into_iter().chain(without);
    let (dated, undated): (Vec<_>, Vec<_>) = all.partition(has_uptime);
    let mut chains = chains(dated);
    chains.sort_by_key(|chain| {
        let is_live = chain.iter().any(|(part, _)| is_live(&part.file_name()));
        let modified = chain.iter().filter_map(|(_, span)| span.modified).max();
        (is_live, modified)
    });
    let dated = chains.into_iter().flatten();
    dated.chain(undated).map(|(part, _)| part).collect()
}

/// The file that is written, or was at last: it has no number behind its name, or says so.
fn is_live(name: &str) -> bool {
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let Some((_, ending)) = name.rsplit_once('.') else {
        return true;
    };
    !ending.bytes().all(|b| b.is_ascii_digit())
}

/// `gc.log` and `7` of `gc.log.7`, `gc.log.07.gz`.
fn place(name: &str) -> Option<(String, u64)> {
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let (log, ending) = name.rsplit_once('.')?;
    let place: u32 = ending.parse().ok()?;
    Some((log.to_owned(), place.into()))
}

/// Files that go on one after the other: pairs that fit best are joined first.
fn chains(parts: Vec<(Part, Span)>) -> Vec<Vec<(Part, Span)>> {
    let mut pairs = Vec::new();
    for (i, (_, from)) in parts.iter().enumerate() {
        for (j, (_, to)) in parts.iter().enumerate() {
            if i != j
                && let Some(gap) = from.gap(to)
            {
                pairs.push((gap, i, j));
            }
        }
    }
    pairs.sort_unstable();
    let mut next = vec![None; parts.len()];
    let mut before = vec![None; parts.len()];
    for (_, from, to) in pairs {
        if next[from].is_none() && before[to].is_none() && !reaches(&next, to, from) {
            next[from] = Some(to);
            before[to] = Some(from);
        }
    }
    let mut parts: Vec<Option<(Part, Span)>> = parts.into_iter().map(Some).collect();
    let begins = (0..parts.len()).filter(|i| before[*i].is_none());
    begins
        .map(|begin| {
            let chain = std::iter::successors(Some(begin), |i| next[*i]);
            chain.filter_map(|i| parts[i].take()).collect()
        })
        .collect()
}

fn reaches(next: &[Option<usize>], from: usize, to: usize) -> bool {
    std::iter::successors(Some(from), |i| next[*i]).any(|i| i == to)
}

//! Logs of JDK 5 to 8, before unified logging (JEP 158): `-XX:+PrintGC`, `-XX:+PrintGCDetails` and
//! what is printed with them.
//!
//! ```text
//! 12.221: [GC (Allocation Failure) 12.221: [ParNew: 174848K->25512K(349568K), 0.0157380 secs] 174848K->25512K(354944K), 0.0158160 secs] [Times: ...]
//! ```
//! A record is a pair of square brackets with others in it, over one line or many: tenuring
//! distributions, statistics, and messages of concurrent threads stand in its middle. So the
//! brackets are followed from line to line, and what a pair says is taken when it closes. See
//! "Printing of GC information" in the source of OpenJDK 8, `gcTraceTime.cpp`.
//!
//! A record that is not closed when the next one begins was cut off, or threads wrote over each
//! other: it is counted as not understood.

mod figures;
mod header;
mod kind;
mod record;
mod shape;
pub mod stamp;
pub mod stopped;
mod tell;

use crate::age;
use crate::decorations::At;
use crate::event::{Event, HeapChange, Setting, What};
use crate::scan::{Scan, text};
use figures::Sizes;
use kind::{Kind, Stop};
use record::{Closed, Frame, Parts};
use shape::{holds_record, is_row, skip_word};
use tacho_run_folder::Collector;

/// Brackets in each other that are followed: eight are the most that these logs have.
const DEEPEST: usize = 24;

/// What a line was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Read {
    /// With figures.
    Events,
    /// Known, and nothing is taken from it.
    Detail,
    /// It begins a record while another one is open: the other was cut off.
    Broken,
    /// No line of such a log.
    NotOurs,
}

/// The records under way.
#[derive(Debug, Default)]
pub struct Records {
    open: Vec<Frame>,
    /// The instant that was read last.
    stamp: At,
    parts: Parts,
    /// Cause of the stop that is open or closed.
    cause: String,
    /// A stop of G1 that is closed, and whose heap the next lines say.
    closed: Option<Closed>,
    /// The last pair that closed was a stop: the processor times that follow are its own.
    after_stop: bool,
    collector: Option<Collector>,
    /// Events of the line that is being read.
    told: bool,
    is_broken: bool,
}

impl Records {
    /// Reads a line that is none of unified logging.
    pub fn line(&mut self, line: &[u8], tell: &mut impl FnMut(&Event<'_>)) -> Read {
        self.told = false;
        self.is_broken = false;
        if self.open.is_empty() {
            if let Some(read) = self.between(line, tell) {
                return read;
            }
        } else if is_row(line) {
            return self.row(line, tell);
        }
        self.stamp = At::default();
        self.brackets(line, tell);
        match (self.is_broken, self.told) {
            (true, _) => Read::Broken,
            (_, true) => Read::Events,
            _ => Read::Detail,
        }
    }

    /// Whether the next line goes on with a record.
    pub fn is_within_one(&self) -> bool {
        !self.open.is_empty()
    }

    /// The input has ended: tells what waits for its heap. Whether a record was left open.
    pub fn end(&mut self, tell: &mut impl FnMut(&Event<'_>)) -> bool {
        self.flush(tell);
        let is_open = self.open.iter().any(|frame| frame.kind.is_stop());
        self.open.clear();
        is_open
    }

    /// A line when no record is open: what it is when it does not hold a record's brackets.
    fn between(&mut self, line: &[u8], tell: &mut impl FnMut(&Event<'_>)) -> Option<Read> {
        if let Some(read) = self.detail_of_g1(line) {
            return Some(read);
        }
        if holds_record(line) {
            return None;
        }
        if let Some((at, what)) = stopped::read(line) {
            self.flush(tell);
            tell(&Event {
                at,
                collection: None,
                what,
            });
            return Some(match what {
                What::Instant => Read::Detail,
                _ => Read::Events,
            });
        }
        if is_row(line) {
            return Some(self.row(line, tell));
        }
        Some(header::read(line, &mut |setting: Setting<'_>| {
            if let Setting::Collector(collector) = setting {
                self.collector = Some(collector);
            }
            tell(&without_instant(What::Setting(setting)));
        }))
    }

    /// `   [Parallel Time: 212.3 ms, GC Workers: 8]`: thousands of them, known by their spaces.
    fn detail_of_g1(&self, line: &[u8]) -> Option<Read> {
        let is_detail = line.starts_with(b"   ")
            && line.trim_ascii_start().first() == Some(&b'[')
            && !self.is_heap_of_g1(line);
        is_detail.then_some(Read::Detail)
    }

    fn is_heap_of_g1(&self, line: &[u8]) -> bool {
        let text = line.trim_ascii_start();
        text.starts_with(b"[Eden: ")
            || (self.closed.is_some()
                && text
                    .get(1..)
                    .and_then(|inside| inside.trim_ascii_start().first())
                    .is_some_and(u8::is_ascii_digit))
    }

    fn row(&mut self, line: &[u8], tell: &mut impl FnMut(&Event<'_>)) -> Read {
        match age::read(line) {
            Some(what) => {
                tell(&without_instant(what));
                Read::Events
            }
            None => Read::Detail,
        }
    }

    fn brackets(&mut self, line: &[u8], tell: &mut impl FnMut(&Event<'_>)) {
        let mut scan = Scan(line);
        let mut is_first = true;
        while let Some(next) = scan.0.first() {
            match next {
                b'[' => {
                    scan.0 = &scan.0[1..];
                    // Addresses of spaces, whose brackets never close: `[0x..., 0x...)`.
                    if scan.0.starts_with(b"0x") {
                        return;
                    }
                    scan.0 = self.begin(scan.0, is_first, tell);
                }
                b']' => {
                    scan.0 = &scan.0[1..];
                    self.close(tell);
                }
                b'(' => self.remark(&mut scan),
                b'0'..=b'9' => self.number(&mut scan),
                b'-' => self.dashes(&mut scan),
                b' ' | b',' | b':' => scan.0 = &scan.0[1..],
                _ => skip_word(&mut scan),
            }
            is_first &= !matches!(next, b'[' | b']');
        }
    }

    fn begin<'a>(
        &mut self,
        inside: &'a [u8],
        is_first: bool,
        tell: &mut impl FnMut(&Event<'_>),
    ) -> &'a [u8] {
        let (kind, rest) = Kind::read(inside);
        if kind == Kind::Times {
            return self.times(inside, tell);
        }
        if kind.is_stop() || matches!(kind, Kind::Phase(_)) {
            // A record at the begin of a line does not belong to the one before.
            let is_torn = kind.is_stop() && is_first && !self.open.is_empty();
            if is_torn {
                self.is_broken = true;
                self.open.clear();
            }
            if self.open.is_empty() {
                self.flush(tell);
                if kind.is_stop() {
                    self.parts = Parts::default();
                    self.cause.clear();
                }
            }
        }
        if self.open.len() >= DEEPEST {
            self.is_broken = true;
            self.open.clear();
        }
        let at = match kind {
            // Its stop began before it and is told after it: time would seem to go back.
            Kind::Phase(_) if self.is_in_stop() => At::default(),
            _ => self.stamp,
        };
        self.open.push(Frame::new(kind, at));
        match kind {
            Kind::Stop(_) => self.header(rest),
            Kind::G1Heap => self.heap_of_g1(inside),
            _ => rest,
        }
    }

    /// What stands in parentheses directly behind the name: causes, and what G1 collects.
    fn header<'a>(&mut self, rest: &'a [u8]) -> &'a [u8] {
        let is_outermost = self
            .open
            .iter()
            .filter(|frame| frame.kind.is_stop())
            .count()
            == 1;
        let mut scan = Scan(rest);
        loop {
            let mut ahead = scan;
            ahead.spaces();
            let Some(inside) = ahead.parenthesis() else {
                return scan.0;
            };
            scan = ahead;
            if !self.says(inside) && is_outermost && self.cause.is_empty() {
                self.cause.push_str(text(inside).unwrap_or_default());
            }
        }
    }

    /// Takes a remark in parentheses that has a meaning of its own.
    fn says(&mut self, inside: &[u8]) -> bool {
        let parts = &mut self.parts;
        match inside {
            b"young" => {}
            b"mixed" | b"partial" => parts.g1.mixed = true,
            b"initial-mark" => parts.g1.initial_mark = true,
            b"to-space exhausted" | b"to-space overflow" | b"evacuation failure" => {
                parts.to_space_exhausted = true;
            }
            b"promotion failed" => parts.promotion_failed = true,
            b"concurrent mode failure" => parts.concurrent_mode_failed = true,
            b"concurrent mode interrupted" => parts.concurrent_mode_interrupted = true,
            _ => return false,
        }
        true
    }

    fn remark(&mut self, scan: &mut Scan<'_>) {
        match scan.parenthesis() {
            Some(inside) => {
                let _ = self.is_in_stop() && self.says(inside);
            }
            None => scan.0 = &scan.0[1..],
        }
    }

    /// `[GC--`, `--[PSYoungGen`: objects could not be promoted. Longer rows of dashes are lines.
    fn dashes(&mut self, scan: &mut Scan<'_>) {
        let end = scan.0.iter().position(|b| *b != b'-');
        let length = end.unwrap_or(scan.0.len());
        self.parts.promotion_failed |= length == 2 && self.is_in_stop();
        scan.0 = &scan.0[length..];
    }

    fn is_in_stop(&self) -> bool {
        self.open.iter().any(|frame| frame.kind.is_stop())
    }

    /// A number: an instant, a size, a duration, or nothing of interest.
    fn number(&mut self, scan: &mut Scan<'_>) {
        if let Some(rest) = stamp::take(&mut self.stamp, scan.0) {
            scan.0 = rest;
            return;
        }
        if let Some(change) = figures::size(scan) {
            let Some(frame) = self.open.last_mut() else {
                return;
            };
            match change {
                Sizes::Change(change) => frame.heap = Some(change),
                Sizes::Used(used, capacity) => frame.used = Some((used, capacity)),
                Sizes::Alone => {}
            }
            return;
        }
        let (duration, rest) = figures::duration(scan.0);
        scan.0 = rest;
        if let (Some(duration), Some(frame)) = (duration, self.open.last_mut()) {
            frame.duration = Some(duration);
        }
    }

    fn close(&mut self, tell: &mut impl FnMut(&Event<'_>)) {
        let Some(frame) = self.open.pop() else { return };
        let is_inner = self.open.iter().any(|outer| outer.kind.is_stop());
        match frame.kind {
            Kind::Stop(stop) => self.stop(&frame, stop, is_inner, tell),
            Kind::Space(name, collector) => {
                if let Some(heap) = frame.heap {
                    // Behind the heap of G1 stands its metaspace: `[Eden: ...], [Metaspace: ...]`.
                    let parts = match &mut self.closed {
                        Some(closed) if !is_inner => &mut closed.parts,
                        _ => &mut self.parts,
                    };
                    parts.take(name, collector, heap);
                }
            }
            Kind::CmsStep(step) if is_inner => self.parts.cms = Some(step),
            Kind::Phase(phase) => {
                self.told |= tell::phase(phase, &frame, tell);
                self.after_stop = false;
            }
            // Before JDK 7: `   [ 24M->8M(256M)]` behind the details of G1.
            Kind::Other if self.open.is_empty() => {
                if let (Some(closed), Some(heap)) = (&mut self.closed, frame.heap) {
                    closed.heap = closed.heap.or(Some(heap));
                }
            }
            _ => {}
        }
    }

    fn stop(
        &mut self,
        frame: &Frame,
        stop: Stop,
        is_inner: bool,
        tell: &mut impl FnMut(&Event<'_>),
    ) {
        if is_inner {
            self.parts.nested = frame.heap;
            return;
        }
        let Some(duration) = frame.duration else {
            // `[Pause Init Mark, start]` begins; anything with a heap lacks its end.
            self.is_broken |= frame.heap.is_some();
            return;
        };
        self.after_stop = true;
        self.told = true;
        self.closed = Some(Closed {
            stop,
            at: frame.at,
            heap: frame.heap,
            used: frame.used,
            duration,
            parts: self.parts,
        });
        let waits = matches!(stop, Stop::G1Pause | Stop::Full) && !self.parts.has_generations();
        if !waits {
            self.flush(tell);
        }
    }

    /// `Eden: 24.0M(24.0M)->0.0B(30.0M) Survivors: 0.0B->3072.0K Heap:
    /// 24.0M(256.0M)->6882.0K(256.0M)`
    fn heap_of_g1<'a>(&mut self, inside: &'a [u8]) -> &'a [u8] {
        let end = memchr::memchr(b']', inside).unwrap_or(inside.len());
        let (text, rest) = inside.split_at(end);
        let change = |title: &[u8]| {
            let at = memchr::memmem::find(text, title)? + title.len();
            let mut scan = Scan(&text[at..]);
            let before = scan.size()?;
            let _capacity = scan.parenthesis();
            scan.literal(b"->")?;
            let after = scan.size()?;
            let capacity = scan.parenthesis().and_then(|inside| Scan(inside).size());
            Some(HeapChange {
                before,
                after,
                capacity,
            })
        };
        if let Some(closed) = &mut self.closed {
            let young = change(b"Eden: ").zip(change(b"Survivors: "));
            closed.parts.g1_young = young.map(|(eden, survivors)| {
                (
                    eden.before.saturating_add(survivors.before),
                    eden.after.saturating_add(survivors.after),
                )
            });
            if let Some(heap) = change(b"Heap: ") {
                closed.heap = Some(heap);
            }
            self.told = true;
        }
        rest
    }

    fn times<'a>(&mut self, inside: &'a [u8], tell: &mut impl FnMut(&Event<'_>)) -> &'a [u8] {
        let end = memchr::memchr(b']', inside).map_or(inside.len(), |end| end + 1);
        if self.open.is_empty() && std::mem::take(&mut self.after_stop) {
            self.flush(tell);
            if let Some(what) = tell::times(inside) {
                self.told = true;
                tell(&without_instant(what));
            }
        }
        &inside[end..]
    }

    /// Tells the stop that waits for nothing any more.
    fn flush(&mut self, tell: &mut impl FnMut(&Event<'_>)) {
        if let Some(closed) = self.closed.take() {
            let cause = std::mem::take(&mut self.cause);
            tell::stop(&closed, &cause, &mut self.collector, tell);
            self.cause = cause;
            self.cause.clear();
        }
    }
}

fn without_instant(what: What<'_>) -> Event<'_> {
    Event {
        at: At::default(),
        collection: None,
        what,
    }
}

//! Stops of all threads: those for a collection, and the others.

use super::tally::Names;
use super::{OtherStops, Safepoints, milliseconds, seconds};
use crate::event::Safepoint;

/// What a stop is called when the log does not say what it was for.
const UNNAMED: &str = "not named";

/// The stops so far.
#[derive(Debug, Default)]
pub struct Stops {
    names: Names,
    reaching: u64,
    longest_reaching: u64,
    /// What the stop under way is for.
    begun: Option<String>,
    /// Pauses of the collector since the last stop ended: they are parts of the next one.
    paused: u64,
    others: OtherStops,
    longest_other: u64,
}

impl Stops {
    pub fn begin(&mut self, name: &str) {
        self.begun = Some(name.to_owned());
    }

    pub fn pause(&mut self, duration: u64) {
        self.paused = self.paused.saturating_add(duration);
    }

    pub fn end(&mut self, stop: &Safepoint<'_>, now: Option<u64>) {
        let begun = self.begun.take();
        let name = stop.name.or(begun.as_deref());
        self.names.add(name.unwrap_or(UNNAMED), stop.total);
        let reaching = stop.reaching.unwrap_or(0);
        self.reaching = self.reaching.saturating_add(reaching);
        self.longest_reaching = self.longest_reaching.max(reaching);
        let paused = std::mem::take(&mut self.paused);
        // The way to the safepoint is told by itself.
        if paused.saturating_mul(2) < stop.total.saturating_sub(reaching) {
            self.other(name, stop.total, now);
        }
    }

    fn other(&mut self, name: Option<&str>, duration: u64, now: Option<u64>) {
        self.others.count += 1;
        self.others.total_s += seconds(duration);
        if duration > self.longest_other {
            self.longest_other = duration;
            self.others.longest = name.map(str::to_owned);
            self.others.longest_at_s = now.map(seconds);
        }
    }

    pub fn finish(&mut self) -> Option<Safepoints> {
        self.others.max_ms = milliseconds(self.longest_other);
        (!self.names.is_empty()).then(|| Safepoints {
            count: self.names.count(),
            total_s: seconds(self.names.total()),
            reaching_s: seconds(self.reaching),
            max_reaching_ms: milliseconds(self.longest_reaching),
            by_name: self.names.totals(),
            others: std::mem::take(&mut self.others),
        })
    }
}

//! Sliding windows over a phase: new histograms are added and old ones removed.

use crate::records::{Distribution, Sparse};
use std::collections::VecDeque;

/// Instants in the log are rounded to milliseconds.
const ROUNDING_S: f64 = 0.002;

/// The rest of a phase after its last full window gets a window of its own, if that window is at
/// most this much too short.
const MOST_LACKING_S: f64 = 0.5;

/// What a check looks at in one second.
#[derive(Debug, Clone, Default)]
pub struct Slice {
    /// In seconds since the run's clock began.
    pub from_s: f64,
    /// Its end, in seconds since the run's clock began.
    pub to_s: f64,
    /// The values of the times that the check covers.
    pub values: Vec<Sparse>,
    /// Requests that succeeded.
    pub succeeded: u64,
    /// Requests that failed.
    pub failed: u64,
}

/// Sums of slices.
#[derive(Debug, Default)]
pub struct Sum {
    /// The values of the times that the check covers.
    pub times: Distribution,
    /// Requests that succeeded.
    pub succeeded: u64,
    /// Requests that failed.
    pub failed: u64,
}

impl Sum {
    /// Adds a slice.
    pub fn add(&mut self, slice: &Slice) {
        slice.values.iter().for_each(|v| self.times.add(v));
        self.succeeded += slice.succeeded;
        self.failed += slice.failed;
    }

    fn remove(&mut self, slice: &Slice) {
        slice.values.iter().for_each(|v| self.times.remove(v));
        self.succeeded -= slice.succeeded;
        self.failed -= slice.failed;
    }
}

/// A complete window.
#[derive(Debug)]
pub struct Window<'a> {
    /// In seconds since the run's clock began.
    pub from_s: f64,
    /// Its end, in seconds since the run's clock began.
    pub to_s: f64,
    /// What happened in it.
    pub sum: &'a Sum,
}

/// All windows of one phase; one begins at each second.
#[derive(Debug)]
pub struct Windows {
    length_s: f64,
    began_s: f64,
    ends_s: f64,
    /// The end of the next stretch.
    next_s: f64,
    any: bool,
    slices: VecDeque<Slice>,
    sum: Sum,
}

impl Windows {
    /// Windows of the given length, for a phase with the given begin and end.
    pub fn new(length_s: f64, began_s: f64, ends_s: f64) -> Self {
        Self {
            length_s,
            began_s,
            ends_s,
            next_s: began_s + length_s,
            any: false,
            slices: VecDeque::new(),
            sum: Sum::default(),
        }
    }

    /// Adds the next slice of the phase. Calls `seen` for each window that is complete before this
    /// slice.
    pub fn push(&mut self, slice: Slice, mut seen: impl FnMut(Window<'_>)) {
        self.complete_up_to(slice.from_s, &mut seen);
        self.sum.add(&slice);
        self.slices.push_back(slice);
    }

    /// Ends the phase. A phase that is shorter than a window counts as one window.
    pub fn finish(mut self, mut seen: impl FnMut(Window<'_>)) {
        self.complete_up_to(self.ends_s, &mut seen);
        let left_s = self.ends_s - (self.next_s - 1.0);
        if self.any && left_s > ROUNDING_S {
            // The last second of a phase is rarely complete, but it is judged as well. The last
            // window is either a little too short or a little too long.
            let begins = 1.0 - left_s <= MOST_LACKING_S;
            let from_s = self.next_s - self.length_s - if begins { 0.0 } else { 1.0 };
            self.show(from_s, self.ends_s, &mut seen);
        }
        if !self.any {
            let last_s = self.slices.back().map_or(self.ends_s, |s| s.to_s);
            seen(Window {
                from_s: self.began_s,
                to_s: self.ends_s.max(last_s),
                sum: &self.sum,
            });
        }
    }

    fn complete_up_to(&mut self, until_s: f64, seen: &mut impl FnMut(Window<'_>)) {
        while self.next_s <= until_s + ROUNDING_S {
            let to_s = self.next_s;
            self.show(to_s - self.length_s, to_s, seen);
            self.any = true;
            self.next_s += 1.0;
        }
    }

    fn show(&mut self, from_s: f64, to_s: f64, seen: &mut impl FnMut(Window<'_>)) {
        while let Some(gone) = self.slices.pop_front_if(|s| s.to_s <= from_s + ROUNDING_S) {
            self.sum.remove(&gone);
        }
        // A slice longer than a second cannot be split, so the window becomes longer.
        let first_s = self.slices.front().map_or(from_s, |s| s.from_s);
        let last_s = self.slices.back().map_or(to_s, |s| s.to_s);
        seen(Window {
            from_s: from_s.min(first_s),
            to_s: to_s.max(last_s),
            sum: &self.sum,
        });
    }
}

//! The meaning of the names in the templates of a scenario.

use crate::feed::Opened;
use crate::rules::nearest;
use crate::spec;
use crate::template::{BUILT_IN, Insert, Unknown};

/// The feeds, and the captured values of one scenario.
pub(super) struct Names<'a> {
    feeds: &'a mut [Opened],
    steps: &'a [spec::Step],
    slots: Vec<Slot<'a>>,
    /// Which feeds the scenario wants a row of.
    used: Vec<bool>,
}

/// A captured value.
struct Slot<'a> {
    name: &'a str,
    /// The first step that captures it.
    step: usize,
}

impl<'a> Names<'a> {
    pub(super) fn new(feeds: &'a mut [Opened], steps: &'a [spec::Step]) -> Self {
        let mut slots: Vec<Slot<'_>> = Vec::new();
        for (step, captures) in steps.iter().map(|step| &step.captures).enumerate() {
            for capture in captures {
                if !slots.iter().any(|slot| slot.name == capture.name) {
                    slots.push(Slot {
                        name: &capture.name,
                        step,
                    });
                }
            }
        }
        let used = vec![false; feeds.len()];
        Self {
            feeds,
            steps,
            slots,
            used,
        }
    }

    /// How many captured values there are.
    pub(super) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Where a captured value is kept.
    pub(super) fn slot(&self, name: &str) -> Option<usize> {
        self.slots.iter().position(|slot| slot.name == name)
    }

    /// The feeds that the scenario wants a row of.
    pub(super) fn used(&self) -> Box<[usize]> {
        (0..self.used.len())
            .filter(|&feed| self.used[feed])
            .collect()
    }

    /// Whether the name differs from all other names that templates know.
    pub(super) fn may_be_captured(&self, name: &str) -> bool {
        let is_strange = |c: char| c.is_whitespace() || c.is_control() || "{}\"".contains(c);
        let is_of_feed = || self.split(name).is_some();
        !name.is_empty() && !name.contains(is_strange) && !BUILT_IN.contains(&name) && !is_of_feed()
    }

    /// What a name stands for in the templates of a step.
    pub(super) fn look_up(&mut self, step: usize, name: &str) -> Result<Insert, Unknown> {
        if let Some(slot) = self.slot(name) {
            let by = self.slots[slot].step;
            if by < step {
                return Ok(Insert::Captured(slot));
            }
            return Err(Unknown::Later {
                step: super::compile::name_of(&self.steps[by]),
            });
        }
        match self.split(name) {
            Some((feed, column)) => {
                self.used[feed] = true;
                self.feeds[feed].want(feed, column)
            }
            None => Err(Unknown::Name {
                nearest: self.nearest(step, name),
            }),
        }
    }

    /// Feed and column.
    fn split<'n>(&self, name: &'n str) -> Option<(usize, &'n str)> {
        let (feed, column) = name.split_once('.')?;
        let feed = self.feeds.iter().position(|known| known.name == feed)?;
        Some((feed, column))
    }

    fn nearest(&self, step: usize, name: &str) -> Option<String> {
        let columns: Vec<String> = self.feeds.iter().flat_map(Opened::full_names).collect();
        let captured = self.slots.iter().filter(|slot| slot.step < step);
        let names = captured
            .map(|slot| slot.name)
            .chain(columns.iter().map(String::as_str))
            .chain(["counter", "random", "uuid", "now"]);
        nearest(name, names)
    }
}

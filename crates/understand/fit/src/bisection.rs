//! Which limit next.
//!
//! From above: the highest limit has to hold, or there is nothing to look for. Then halving between
//! the lowest limit that held and the highest that failed, in whole steps. What was found has to
//! hold once more.
//!
//! The errors are not alike: a limit that is stated too high costs memory, one that is stated too
//! low is an outage. So one failed trial is believed at once, and a limit that held below one that
//! failed is not.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How often what was found has to hold again.
const CONFIRMATIONS: u32 = 1;

/// What may be tried: `lowest`, `lowest + step`, ... up to `highest`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    lowest: u64,
    highest: u64,
    step: u64,
}

impl Range {
    /// Rounded to whole steps: the lowest up, the highest up. `None` when there is nothing to
    /// choose from, or no step.
    #[must_use]
    pub fn new(lowest: u64, highest: u64, step: u64) -> Option<Self> {
        if step == 0 {
            return None;
        }
        let lowest = lowest.max(1).checked_next_multiple_of(step)?;
        let highest = highest.checked_next_multiple_of(step)?;
        (lowest < highest).then_some(Self {
            lowest,
            highest,
            step,
        })
    }

    /// The highest limit.
    #[must_use]
    pub fn highest(&self) -> u64 {
        self.highest
    }
}

/// What was seen at one limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Seen {
    held: u32,
    failed: bool,
}

/// Asks for trials until it knows.
#[derive(Debug, Clone)]
pub struct Bisection {
    range: Range,
    seen: BTreeMap<u64, Seen>,
}

/// How the search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The limit holds, and one step less does not.
    Found,
    /// The lowest limit that was allowed holds; a lower one may hold, too.
    LowestHolds,
    /// Not even the highest holds.
    NothingHolds,
    /// The search was ended before it had an answer.
    Unfinished,
}

/// The answer so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The smallest that holds.
    pub limit: Option<u64>,
    /// How far that is the answer.
    pub end: End,
}

impl Bisection {
    /// Nothing is known yet.
    #[must_use]
    pub fn new(range: Range) -> Self {
        Self {
            range,
            seen: BTreeMap::new(),
        }
    }

    /// The limit to try and to report by [`Self::observe`]; the same until then. `None` when the
    /// search is over.
    #[must_use]
    pub fn next(&self) -> Option<u64> {
        if self.fails(self.range.highest) {
            return None;
        }
        let Some(held) = self.lowest_that_holds() else {
            return Some(self.range.highest);
        };
        let failed = self.highest_that_failed();
        let below = failed.unwrap_or(self.range.lowest - self.range.step);
        if held - below > self.range.step {
            return Some(self.between(below, held));
        }
        (self.times_held(held) <= CONFIRMATIONS).then_some(held)
    }

    /// What became of a trial.
    pub fn observe(&mut self, limit: u64, held: bool) {
        let seen = self.seen.entry(limit).or_default();
        if held {
            seen.held += 1;
        } else {
            seen.failed = true;
        }
    }

    /// What is known by now.
    #[must_use]
    pub fn found(&self) -> Found {
        let limit = self.lowest_that_holds();
        let end = if self.fails(self.range.highest) {
            End::NothingHolds
        } else if self.next().is_some() {
            End::Unfinished
        } else if self.highest_that_failed().is_some() {
            End::Found
        } else {
            End::LowestHolds
        };
        Found { limit, end }
    }

    /// About how many trials are left.
    #[must_use]
    pub fn trials_left(&self) -> u32 {
        if self.next().is_none() {
            return 0;
        }
        let held = self.lowest_that_holds();
        let top = held.unwrap_or(self.range.highest);
        let below = self
            .highest_that_failed()
            .unwrap_or(self.range.lowest - self.range.step);
        let steps = (top.saturating_sub(below) / self.range.step).max(1);
        u32::from(held.is_none()) + steps.next_power_of_two().ilog2() + CONFIRMATIONS
    }

    /// Halfway, in whole steps, strictly between.
    fn between(&self, below: u64, above: u64) -> u64 {
        let steps = (above - below) / self.range.step;
        below + (steps / 2) * self.range.step
    }

    fn fails(&self, limit: u64) -> bool {
        self.seen.get(&limit).is_some_and(|seen| seen.failed)
    }

    fn times_held(&self, limit: u64) -> u32 {
        self.seen.get(&limit).map_or(0, |seen| seen.held)
    }

    fn highest_that_failed(&self) -> Option<u64> {
        let failed = |(limit, seen): (&u64, &Seen)| seen.failed.then_some(*limit);
        self.seen.iter().rev().find_map(failed)
    }

    /// Above every limit that failed.
    fn lowest_that_holds(&self) -> Option<u64> {
        let failed = self.highest_that_failed().unwrap_or(0);
        let mut above = self.seen.range(failed + 1..);
        above.find_map(|(limit, seen)| (seen.held > 0).then_some(*limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Searches to the end; the limits that were tried.
    fn search(range: Range, mut holds: impl FnMut(u64) -> bool) -> (Found, Vec<u64>) {
        let mut search = Bisection::new(range);
        let mut tried = Vec::new();
        while let Some(limit) = search.next() {
            assert!(tried.len() < 500, "it does not end: {tried:?}");
            tried.push(limit);
            search.observe(limit, holds(limit));
        }
        (search.found(), tried)
    }

    #[test]
    fn a_wall_is_found_from_above_and_confirmed() {
        let range = Range::new(16, 512, 16).unwrap();
        let (found, tried) = search(range, |limit| limit >= 200);
        assert_eq!(
            found,
            Found {
                limit: Some(208),
                end: End::Found
            }
        );
        assert_eq!(tried, [512, 256, 128, 192, 224, 208, 208]);
    }

    #[test]
    fn nothing_holds_and_everything_holds() {
        let range = Range::new(64, 128, 32).unwrap();
        let (found, tried) = search(range, |_| false);
        assert_eq!((found.limit, found.end), (None, End::NothingHolds));
        assert_eq!(tried, [128]);
        let (found, _) = search(range, |_| true);
        assert_eq!((found.limit, found.end), (Some(64), End::LowestHolds));
    }

    #[test]
    fn a_limit_that_does_not_hold_again_has_failed() {
        let range = Range::new(10, 100, 10).unwrap();
        let mut luck = 0;
        let (found, _) = search(range, |limit| {
            if limit == 40 {
                luck += 1;
                return luck == 1;
            }
            limit > 40
        });
        assert_eq!((found.limit, found.end), (Some(50), End::Found));
    }

    #[test]
    fn one_that_was_ended_says_so() {
        let mut search = Bisection::new(Range::new(10, 100, 10).unwrap());
        search.observe(100, true);
        assert_eq!(search.found().end, End::Unfinished);
        assert_eq!(search.found().limit, Some(100));
    }

    #[test]
    fn there_must_be_room() {
        assert_eq!(Range::new(100, 100, 10), None);
        assert_eq!(Range::new(1, 100, 0), None);
        assert_eq!(Range::new(u64::MAX, u64::MAX, 7), None);
    }

    proptest! {
        #[test]
        fn any_wall_is_found_to_the_step(lowest in 1u64..1000, room in 1u64..100_000, step in 1u64..500, wall in 0u64..120_000) {
            let Some(range) = Range::new(lowest, lowest + room, step) else { return Ok(()) };
            let (found, tried) = search(range, |limit| limit >= wall);
            prop_assert!(tried.len() <= 24, "{} trials", tried.len());
            match found.limit {
                None => prop_assert!(range.highest < wall),
                Some(limit) => {
                    prop_assert!(limit >= wall);
                    prop_assert!(limit == range.lowest || limit - range.step < wall);
                }
            }
        }

        #[test]
        fn it_ends_whatever_happens(outcomes in prop::collection::vec(any::<bool>(), 400), room in 1u64..5_000) {
            let range = Range::new(1, 1 + room, 1).unwrap();
            let mut outcomes = outcomes.into_iter();
            let mut failed = Vec::new();
            let (found, _) = search(range, |limit| {
                let held = outcomes.next().unwrap_or(false);
                if !held { failed.push(limit); }
                held
            });
            // Nothing that failed, or lies below what failed, is advised.
            if let Some(limit) = found.limit {
                prop_assert!(failed.iter().all(|f| *f < limit));
            }
        }
    }
}

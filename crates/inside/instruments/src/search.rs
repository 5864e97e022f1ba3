//! How long the levels of a trace are searched.
//!
//! A level is found by the calls that have ended since the level above was instrumented. Where
//! calls take longer than a look, looks go on until one has ended: a fixed share of the time would
//! find nothing below it.

use std::time::Duration;

/// Share of the time in which the levels are searched. The figures come from the rest.
const LOOKING: f64 = 0.4;
/// And if calls are slow: what is left must show some, too.
const LONGEST_LOOKING: f64 = 0.7;
/// A level is rarely seen in less time.
const SHORTEST_LOOK: Duration = Duration::from_millis(500);
/// Between two looks for a call that has ended.
const AGAIN: Duration = Duration::from_millis(300);

/// The search, look by look.
#[derive(Debug)]
pub struct Search {
    duration: Duration,
    levels: u8,
    done: u8,
    looked: Duration,
    is_waiting: bool,
}

impl Search {
    /// For so many levels, in a trace that takes so long.
    pub fn new(duration: Duration, levels: u8) -> Self {
        Self {
            duration,
            levels,
            done: 0,
            looked: Duration::ZERO,
            is_waiting: false,
        }
    }

    /// How long to wait before the next look; `None` when the search is over.
    pub fn next_look(&self) -> Option<Duration> {
        let left = self
            .duration
            .mul_f64(LONGEST_LOOKING)
            .saturating_sub(self.looked);
        if self.done == self.levels || left.is_zero() {
            return None;
        }
        let each = self
            .duration
            .mul_f64(LOOKING / f64::from(self.levels.max(1)));
        let look = if self.is_waiting {
            AGAIN
        } else {
            each.max(SHORTEST_LOOK)
        };
        Some(look.min(left))
    }

    /// After a look: a level is done when calls of the roots have ended since it was begun.
    pub fn looked(&mut self, took: Duration, has_ended: bool) {
        self.looked += took;
        self.done += u8::from(has_ended);
        self.is_waiting = !has_ended;
    }

    /// Levels for which no call has ended in time.
    pub fn not_seen(&self) -> u8 {
        self.levels - self.done
    }

    /// The time that is left for the figures.
    pub fn rest(&self) -> Duration {
        self.duration.saturating_sub(self.looked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEN: Duration = Duration::from_secs(10);

    /// The roots' calls follow each other, each as long as this. One that was under way when its
    /// level was begun is not seen.
    fn search(levels: u8, call: Duration) -> Search {
        let mut search = Search::new(TEN, levels);
        let (mut now, mut begun) = (Duration::ZERO, Duration::from_millis(1));
        while let Some(look) = search.next_look() {
            now += look;
            let first = call.mul_f64((begun.as_secs_f64() / call.as_secs_f64()).ceil());
            let has_ended = now >= first + call;
            search.looked(look, has_ended);
            if has_ended {
                begun = now + Duration::from_millis(1);
            }
        }
        search
    }

    #[test]
    fn levels_of_quick_calls_take_two_fifths_of_the_time() {
        for levels in [1, 3] {
            let search = search(levels, Duration::from_millis(20));
            assert_eq!(search.not_seen(), 0);
            let off = search.rest().abs_diff(TEN.mul_f64(0.6));
            assert!(off < Duration::from_millis(1), "{search:?}");
        }
    }

    /// A call that begins after its level was begun ends after a look of two seconds.
    #[test]
    fn calls_that_end_after_a_look_hide_no_level() {
        let call = Duration::from_millis(1_400);
        assert!(call * 2 > TEN.mul_f64(LOOKING / 2.0));
        assert_eq!(search(2, call).not_seen(), 0);
    }

    #[test]
    fn a_search_in_which_no_call_ends_leaves_time_for_the_figures() {
        let search = search(2, Duration::from_secs(3_600));
        assert_eq!((search.not_seen(), search.rest()), (2, TEN.mul_f64(0.3)));
    }

    #[test]
    fn a_level_for_which_time_was_short_is_counted() {
        assert_eq!(search(3, Duration::from_millis(1_500)).not_seen(), 1);
    }

    #[test]
    fn without_levels_all_the_time_is_for_the_figures() {
        let search = search(0, Duration::from_millis(20));
        assert_eq!((search.not_seen(), search.rest()), (0, TEN));
    }
}

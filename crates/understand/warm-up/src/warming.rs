//! When a warm-up ends.

use std::cmp::Ordering;
pub use tacho_run_folder::WarmingEnd as End;
use tacho_statistics::steady_state::{Settled, Settling};

/// The limits within which a warm-up ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Good answers that are waited for even when response times have settled earlier.
    pub at_least: u64,
    /// Number of requests after which it ends in any case.
    pub at_most: u64,
    /// It ends as failing after this many failures one after another.
    pub failures_in_a_row: u64,
    /// It ends as failing with the first connection that is refused. A port on which nobody listens
    /// proves that the process has ended which was warmed until then, and what its replacement
    /// answers says nothing about how warm that is.
    pub until_refused: bool,
}

/// What became of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// It was answered well, after this many milliseconds.
    Good(f64),
    /// It failed, with the reason for people.
    Bad(String),
    /// Nobody listened, with the reason for people.
    Refused(String),
}

/// Follows a warm-up answer by answer.
#[derive(Debug, Clone)]
pub struct Warming {
    rule: Rule,
    kinds: Vec<Kind>,
    /// The first so many of them have to settle even if they never come.
    known: usize,
    answered: u64,
    failed: u64,
    failures_in_a_row: u64,
    last_failure: Option<String>,
    last_ms: Option<f64>,
    was_refused: bool,
    end: Option<End>,
}

/// One kind of request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kind {
    pub settling: Settling,
    pub settled: Option<Settled>,
    pub answered: u64,
    pub failed: u64,
    /// The first good response times, in milliseconds.
    pub first_ms: Vec<f64>,
}

/// How many first answers show what a user of a cold service would see.
const FIRST: usize = 5;

impl Kind {
    fn has_come(&self) -> bool {
        self.answered + self.failed > 0
    }

    fn take_good(&mut self, ms: f64) {
        self.answered += 1;
        if self.first_ms.len() < FIRST {
            self.first_ms.push(ms);
        }
        self.settling.keep(ms);
    }

    fn look(&mut self) {
        self.settled = self.settling.look();
    }
}

impl Warming {
    /// A warm-up with this many kinds of request, each of which has to settle. Others may come, as
    /// from a stream of which nobody knows what it will bring; they have to settle as well.
    #[must_use]
    pub fn new(rule: Rule, kinds: usize) -> Self {
        Self {
            rule,
            kinds: vec![Kind::default(); kinds],
            known: kinds,
            answered: 0,
            failed: 0,
            failures_in_a_row: 0,
            last_failure: None,
            last_ms: None,
            was_refused: false,
            end: None,
        }
    }

    /// Adds the outcome of a request of this kind. Returns why the warm-up has ended, if it has,
    /// and the same from then on.
    pub fn take(&mut self, kind: usize, answer: Answer) -> Option<End> {
        if self.end.is_some() {
            return self.end;
        }
        if kind >= self.kinds.len() {
            self.kinds.resize_with(kind + 1, Kind::default);
        }
        match answer {
            Answer::Good(ms) => self.take_good(kind, ms),
            Answer::Bad(why) => self.take_bad(kind, why),
            Answer::Refused(why) => {
                self.was_refused = true;
                self.take_bad(kind, why);
            }
        }
        self.end = self.judged();
        self.end
    }

    fn take_good(&mut self, kind: usize, ms: f64) {
        self.answered += 1;
        self.failures_in_a_row = 0;
        self.last_ms = Some(ms);
        self.kinds[kind].take_good(ms);
        self.look(kind);
    }

    /// Looks whether response times have settled, but not before as many answers have come as are
    /// waited for: what was flat long before then says nothing about the last of them.
    fn look(&mut self, kind: usize) {
        match self.answered.cmp(&self.rule.at_least) {
            Ordering::Less => {}
            Ordering::Equal => self.kinds.iter_mut().for_each(Kind::look),
            Ordering::Greater => self.kinds[kind].look(),
        }
    }

    fn take_bad(&mut self, kind: usize, why: String) {
        self.failed += 1;
        self.failures_in_a_row += 1;
        self.kinds[kind].failed += 1;
        self.last_failure = Some(why);
    }

    fn judged(&self) -> Option<End> {
        if self.is_gone() || self.failures_in_a_row >= self.rule.failures_in_a_row {
            return Some(End::Failing);
        }
        if self.answered >= self.rule.at_least && self.kinds().all(|(_, k)| k.settled.is_some()) {
            return Some(End::Settled);
        }
        (self.answered + self.failed >= self.rule.at_most).then(|| self.at(End::RequestLimit))
    }

    /// What a limit means: it is reached by a service that answers. One that has answered nothing
    /// until then was not warmed at all.
    fn at(&self, limit: End) -> End {
        let had_nothing_to_send = limit == End::NothingLeft && self.failed == 0;
        match self.answered {
            0 if !had_nothing_to_send => End::Failing,
            _ => limit,
        }
    }

    /// Ends the warm-up at a limit that lies outside of the answers, unless they have ended it.
    /// Returns why it has ended.
    pub fn end_at(&mut self, limit: End) -> End {
        let end = self.end.unwrap_or_else(|| self.at(limit));
        if end == End::Failing {
            self.last_failure
                .get_or_insert_with(|| "no request was answered in that time".to_owned());
        }
        self.end = Some(end);
        end
    }

    /// Ends the warm-up as failing, for the case that nothing was answered.
    pub fn give_up(&mut self, why: String) {
        self.last_failure = Some(why);
        self.end.get_or_insert(End::Failing);
    }

    /// Whether it has ended because the process did that was warmed.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.rule.until_refused && self.was_refused
    }

    /// Good answers so far.
    #[must_use]
    pub fn answered(&self) -> u64 {
        self.answered
    }

    /// Requests that were not answered as expected.
    #[must_use]
    pub fn failed(&self) -> u64 {
        self.failed
    }

    /// Why the last one failed.
    #[must_use]
    pub fn last_failure(&self) -> Option<&str> {
        self.last_failure.as_deref()
    }

    /// How long the last good answer took, in milliseconds.
    #[must_use]
    pub fn last_ms(&self) -> Option<f64> {
        self.last_ms
    }

    /// Why the warm-up has ended, once what was answered, a limit or `give_up` has ended it. `None`
    /// until then, also where the user ends it.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// The kinds that were known and those that came, with their numbers.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = (usize, &Kind)> {
        let all = self.kinds.iter().enumerate();
        all.filter(move |(number, kind)| *number < self.known || kind.has_come())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: Rule = Rule {
        at_least: 0,
        at_most: 5_000,
        failures_in_a_row: 10,
        until_refused: false,
    };

    fn falling(i: u64) -> Answer {
        Answer::Good(if i < 150 { 30.0 } else { 2.0 } + (i % 5) as f64 * 0.05)
    }

    #[test]
    fn it_ends_when_the_response_times_have_settled() {
        let mut warming = Warming::new(RULE, 1);
        let ended = (0..).find_map(|i| warming.take(0, falling(i)).map(|end| (i, end)));
        let (last, end) = ended.unwrap();
        assert_eq!(end, End::Settled);
        assert!((290..400).contains(&last), "{last}");
        // Nothing that comes later changes that.
        assert_eq!(
            warming.take(0, Answer::Bad("late".to_owned())),
            Some(End::Settled)
        );
        assert_eq!((warming.answered(), warming.failed()), (last + 1, 0));
    }

    #[test]
    fn not_before_as_many_as_were_asked_for() {
        let mut warming = Warming::new(
            Rule {
                at_least: 1_000,
                ..RULE
            },
            1,
        );
        let last = (0..)
            .find(|i| warming.take(0, falling(*i)).is_some())
            .unwrap();
        assert_eq!((last, warming.end()), (999, Some(End::Settled)));
    }

    /// As a JVM between two of its compilers: flat at first, and faster later.
    #[test]
    fn what_was_flat_before_as_many_as_were_asked_for_has_not_settled() {
        let plateau = |i: u64| {
            let ms = if i < 700 { 5.0 } else { 1.0 };
            Answer::Good(ms + (i % 5) as f64 * 0.01)
        };
        let mut warming = Warming::new(
            Rule {
                at_least: 1_000,
                ..RULE
            },
            1,
        );
        let last = (0..)
            .find(|i| warming.take(0, plateau(*i)).is_some())
            .unwrap();
        // Half of all are fast, and not only the 300 of a thousand.
        assert!((1_398..1_600).contains(&last), "{last}");
        assert_eq!(warming.end(), Some(End::Settled));
        let settled = warming.kinds[0].settled.unwrap();
        assert!((690..710).contains(&settled.from), "{settled:?}");
        assert!(settled.typical_ms < 1.1, "{settled:?}");
    }

    #[test]
    fn all_kinds_are_looked_at_when_as_many_came_as_were_asked_for() {
        let mut warming = Warming::new(
            Rule {
                at_least: 1_000,
                at_most: 1_000,
                ..RULE
            },
            2,
        );
        let kind = |i: u64| usize::from(!i.is_multiple_of(2));
        let last = (0..)
            .find(|i| warming.take(kind(*i), falling(i / 2)).is_some())
            .unwrap();
        assert_eq!((last, warming.end()), (999, Some(End::Settled)));
    }

    #[test]
    fn every_kind_of_request_has_to_settle() {
        let mut warming = Warming::new(RULE, 2);
        for i in 0..1_000 {
            assert_eq!(warming.take(0, falling(i)), None);
        }
        let last = (0..)
            .find(|i| warming.take(1, falling(*i)).is_some())
            .unwrap();
        assert!(last < 400, "{last}");
        assert_eq!(warming.end(), Some(End::Settled));
    }

    #[test]
    fn of_a_stream_each_kind_that_came_has_to_settle_and_no_other() {
        let mut warming = Warming::new(RULE, 0);
        let kind = |i: u64| if i.is_multiple_of(2) { 0 } else { 100 };
        for i in 0..250 {
            assert_eq!(warming.take(kind(i), falling(i / 2)), None);
        }
        let numbers: Vec<usize> = warming.kinds().map(|(number, _)| number).collect();
        assert_eq!(numbers, [0, 100]);
        let last = (250..)
            .find(|i| warming.take(kind(*i), falling(i / 2)).is_some())
            .unwrap();
        assert!(last < 900, "{last}");
        assert_eq!(warming.end(), Some(End::Settled));
    }

    #[test]
    fn a_limit_ends_what_does_not_settle() {
        let mut warming = Warming::new(RULE, 1);
        let ever_slower = |i: u64| Answer::Good(1.0 + i as f64);
        let last = (0..)
            .find(|i| warming.take(0, ever_slower(*i)).is_some())
            .unwrap();
        assert_eq!((last, warming.end()), (4_999, Some(End::RequestLimit)));
    }

    #[test]
    fn a_limit_is_no_excuse_for_a_service_that_answers_nothing() {
        let rule = Rule { at_most: 5, ..RULE };
        let bad = || Answer::Bad("status 503".to_owned());
        let after = |first: Answer| {
            let mut warming = Warming::new(rule, 1);
            warming.take(0, first);
            (0..).find_map(|_| warming.take(0, bad())).unwrap()
        };
        assert_eq!(after(bad()), End::Failing);
        assert_eq!(after(Answer::Good(2.0)), End::RequestLimit);

        let mut silent = Warming::new(RULE, 1);
        assert_eq!(silent.end_at(End::TimeLimit), End::Failing);
        assert!(silent.last_failure().unwrap().contains("no request"));
        let mut without_requests = Warming::new(RULE, 1);
        let end = without_requests.end_at(End::NothingLeft);
        assert_eq!(end, End::NothingLeft);
        let mut slow = Warming::new(RULE, 1);
        slow.take(0, Answer::Good(900.0));
        assert_eq!(slow.end_at(End::TimeLimit), End::TimeLimit);
        assert_eq!(
            (slow.end(), slow.last_failure()),
            (Some(End::TimeLimit), None)
        );
    }

    #[test]
    fn a_process_that_has_ended_is_warmed_no_further_where_that_matters() {
        let refused = || Answer::Refused("nothing listens there".to_owned());
        let mut any = Warming::new(RULE, 1);
        assert_eq!((any.take(0, refused()), any.is_gone()), (None, false));
        let rule = Rule {
            until_refused: true,
            ..RULE
        };
        let mut this_one = Warming::new(rule, 1);
        this_one.take(0, Answer::Good(2.0));
        assert_eq!(this_one.take(0, refused()), Some(End::Failing));
        assert!(this_one.is_gone());
        assert_eq!((this_one.answered(), this_one.failed()), (1, 1));
    }

    #[test]
    fn failures_one_after_another_end_it_and_single_ones_do_not() {
        let bad = || Answer::Bad("status 500".to_owned());
        let mut warming = Warming::new(RULE, 1);
        for i in 0..3_000 {
            let answer = if i % 3 == 0 {
                Answer::Good(1.0 + i as f64)
            } else {
                bad()
            };
            assert_eq!(warming.take(0, answer), None);
        }
        let last = (0..).find(|_| warming.take(0, bad()).is_some()).unwrap();
        assert_eq!(warming.end(), Some(End::Failing));
        assert!(last < 10, "{last}");
        assert_eq!(warming.last_failure(), Some("status 500"));
    }
}

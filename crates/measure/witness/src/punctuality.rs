//! How far arrivals were from a schedule, and how long the witness took.

use crate::seen::Seen;
use serde::Serialize;
use tacho_clock::MICROSECOND;

/// The schedule's origin is not known here: the least delay among so many arrivals is its zero, so
/// that a generator which is slightly slower than it should be is not taken for one that is late.
const NEIGHBOURS: usize = 1_000;

/// Arrivals so near to the one before belong to a burst.
const BURST_NS: u64 = 20 * MICROSECOND;

/// The first of a measurement find caches cold and connections new.
const SETTLING: usize = 200;

/// Quantiles of times, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Times {
    #[allow(missing_docs)]
    pub p50: f64,
    #[allow(missing_docs)]
    pub p90: f64,
    #[allow(missing_docs)]
    pub p99: f64,
    #[allow(missing_docs)]
    pub max: f64,
}

impl Times {
    /// Of times in nanoseconds; `None` when there are none.
    #[must_use]
    pub fn of(mut times: Vec<u64>) -> Option<Self> {
        times.sort_unstable();
        let last = times.len().checked_sub(1)?;
        let at = |share: f64| {
            let rank = (share * times.len() as f64).ceil() as usize;
            times[rank.saturating_sub(1).min(last)] as f64 / 1e3
        };
        Some(Self {
            p50: at(0.5),
            p90: at(0.9),
            p99: at(0.99),
            max: at(1.0),
        })
    }
}

/// How a generator kept to a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Punctuality {
    /// How far arrivals were behind their instants.
    pub behind_us: Times,
    /// The share of arrivals within 20 us of the one before.
    pub in_bursts: f64,
}

impl Punctuality {
    /// Compares arrivals, in their order, with the instants of a schedule. Both are in nanoseconds,
    /// each from the start of its own clock. `None` when there is too little to compare.
    #[must_use]
    pub fn of(arrived: &[u64], intended: &[u64]) -> Option<Self> {
        let close = arrived
            .windows(2)
            .filter(|pair| pair[1] - pair[0] < BURST_NS)
            .count();
        let behind = behind(arrived, intended);
        Some(Self {
            behind_us: Times::of(behind.into_iter().skip(SETTLING).collect())?,
            in_bursts: close as f64 / arrived.len() as f64,
        })
    }
}

/// The first so many instants of a schedule whose gaps are all the same.
fn even(number: usize, gap_ns: f64) -> Vec<u64> {
    (0..number).map(|n| (n as f64 * gap_ns) as u64).collect()
}

/// How far each arrival was behind its instant, in nanoseconds.
fn behind(arrived: &[u64], intended: &[u64]) -> Vec<u64> {
    let delays: Vec<i64> = arrived
        .iter()
        .zip(intended)
        .map(|(arrived, intended)| arrived.wrapping_sub(*intended).cast_signed())
        .collect();
    let behind = delays.iter().zip(zeros(&delays));
    behind.map(|(delay, zero)| delay.abs_diff(zero)).collect()
}

/// For each delay the least of its neighbours', half of them before and half after.
fn zeros(delays: &[i64]) -> impl Iterator<Item = i64> {
    let mut least = std::collections::VecDeque::<usize>::new();
    let mut next = 0;
    (0..delays.len()).map(move |here| {
        while next < delays.len().min(here + NEIGHBOURS / 2) {
            while least.back().is_some_and(|&i| delays[i] >= delays[next]) {
                least.pop_back();
            }
            least.push_back(next);
            next += 1;
        }
        while least.front().is_some_and(|&i| i + NEIGHBOURS / 2 < here) {
            least.pop_front();
        }
        least.front().map_or(delays[here], |&i| delays[i])
    })
}

/// From the arrival of a request, or from the instant at which it should have come, to its answer,
/// as the witness knows it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Taken {
    /// Until just before the answer was handed to the kernel: it took no less.
    pub at_least_us: Times,
    /// Until just after that: over loopback it took no more.
    pub at_most_us: Times,
}

impl Taken {
    /// Since the arrival of each request; `None` when there are none.
    #[must_use]
    pub fn since_arrival(seen: &[Seen]) -> Option<Self> {
        Self::since(seen, &vec![0; seen.len()])
    }

    /// Since so many nanoseconds before the arrival of each.
    fn since(seen: &[Seen], before: &[u64]) -> Option<Self> {
        let until = |end: fn(&Seen) -> u64| {
            let times = seen
                .iter()
                .zip(before)
                .map(|(one, before)| end(one).saturating_sub(one.arrived) + before);
            Times::of(times.collect())
        };
        Some(Self {
            at_least_us: until(|seen| seen.answer_begun)?,
            at_most_us: until(|seen| seen.answer_ended)?,
        })
    }

    /// How far a reported median is outside of what the witness allows; 0 within.
    #[must_use]
    pub fn median_is_off_by_us(&self, reported_us: f64) -> f64 {
        let (least, most) = (self.at_least_us.p50, self.at_most_us.p50);
        (reported_us - most).max(least - reported_us).max(0.0)
    }
}

/// What a witness says of one measurement at a constant rate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Testimony {
    /// Requests that arrived.
    pub requests: usize,
    /// Of them, those of which the kernel stamped no arrival.
    pub unstamped: usize,
    /// Requests a second, from the first arrival to the last.
    pub rate: f64,
    /// Against the schedule of the rate that was asked for, or of the one that was seen.
    pub punctuality: Punctuality,
    /// How long the answers took.
    pub own_time: Taken,
    /// From the instants of the schedule to the answers: what a response time is that leaves out
    /// no lateness.
    pub response_time: Taken,
}

impl Testimony {
    /// `rate` is what the generator was asked for; without it the one that was seen is taken.
    /// `None` when too little was seen.
    #[must_use]
    pub fn of(mut seen: Vec<Seen>, rate: Option<f64>) -> Option<Self> {
        seen.sort_by_key(|one| one.arrived);
        let arrived: Vec<u64> = seen.iter().map(|one| one.arrived).collect();
        let (first, last) = (*arrived.first()?, *arrived.last()?);
        let seconds = last.checked_sub(first).filter(|ns| *ns > 0)? as f64 / 1e9;
        let seen_rate = (arrived.len() - 1) as f64 / seconds;
        let intended = even(arrived.len(), 1e9 / rate.unwrap_or(seen_rate));
        Some(Self {
            requests: seen.len(),
            unstamped: seen.iter().filter(|one| !one.is_stamped).count(),
            rate: seen_rate,
            punctuality: Punctuality::of(&arrived, &intended)?,
            own_time: Taken::since_arrival(&seen)?,
            response_time: Taken::since(&seen, &behind(&arrived, &intended))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Ten thousand arrivals a tenth of a millisecond apart, each late by what is said.
    fn late(by: impl Fn(u64) -> u64) -> Punctuality {
        let arrived: Vec<u64> = (0..10_000).map(|n| 7_000 + n * 100_000 + by(n)).collect();
        Punctuality::of(&arrived, &even(arrived.len(), 100_000.0)).unwrap()
    }

    #[test]
    fn arrivals_on_time_are_behind_by_nothing() {
        assert_eq!(late(|_| 0).behind_us.max, 0.0);
        // A constant way to the server is no lateness.
        assert_eq!(late(|_| 40_000).behind_us.max, 0.0);
        assert_eq!(late(|_| 0).in_bursts, 0.0);
    }

    #[test]
    fn what_is_late_shows_by_how_much() {
        let one_in_ten = late(|n| if n % 10 == 0 { 30_000 } else { 0 });
        assert_eq!(one_in_ten.behind_us.p50, 0.0);
        assert_eq!(one_in_ten.behind_us.p99, 30.0);
    }

    #[test]
    fn requests_that_are_sent_together_are_a_burst() {
        // Four at a time: the first is 300 us late, the last on time, by 1 us each.
        let bursts = late(|n| (3 - n % 4) * 100_000 - (3 - n % 4) * 1_000);
        assert_eq!(bursts.in_bursts, 0.75);
        assert_eq!(bursts.behind_us.max, 297.0);
    }

    #[test]
    fn a_slightly_slower_generator_is_not_late() {
        // One in ten thousand slower: a second's worth of 1 us each by the end.
        let slow = late(|n| n * 10);
        assert!(slow.behind_us.p50 <= 5.0, "{slow:?}");
    }

    #[test]
    fn a_median_within_what_the_answer_took_is_right() {
        let seen: Vec<Seen> = (0..1_000)
            .map(|n| Seen {
                arrived: n * 1_000_000,
                is_stamped: n > 0,
                answer_begun: n * 1_000_000 + 50_000,
                answer_ended: n * 1_000_000 + 60_000,
            })
            .collect();
        let testimony = Testimony::of(seen, None).unwrap();
        assert_eq!((testimony.requests, testimony.unstamped), (1_000, 1));
        assert!((testimony.rate - 1_000.0).abs() < 1e-6);
        let off = |us| testimony.own_time.median_is_off_by_us(us);
        assert_eq!(
            [off(47.0), off(50.0), off(60.0), off(64.0)],
            [3.0, 0.0, 0.0, 4.0]
        );
    }

    #[test]
    fn a_late_request_took_longer_since_it_should_have_come() {
        // Each is answered within 50 us, and one in four comes 400 us late.
        let seen: Vec<Seen> = (0..1_000)
            .map(|n| {
                let arrived = n * 1_000_000 + if n % 4 == 3 { 400_000 } else { 0 };
                Seen {
                    arrived,
                    is_stamped: true,
                    answer_begun: arrived + 50_000,
                    answer_ended: arrived + 60_000,
                }
            })
            .collect();
        let testimony = Testimony::of(seen, Some(1_000.0)).unwrap();
        let Taken { at_least_us, .. } = testimony.response_time;
        assert_eq!([at_least_us.p50, at_least_us.p90], [50.0, 450.0]);
        assert_eq!(testimony.own_time.at_most_us.max, 60.0);
    }

    #[test]
    fn of_nothing_nothing_is_said() {
        assert_eq!(Testimony::of(Vec::new(), None), None);
        assert_eq!(Times::of(Vec::new()), None);
    }

    proptest! {
        /// The zero of each arrival is the least delay among its neighbours.
        #[test]
        fn the_running_least_is_that_of_a_plain_search(
            delays in proptest::collection::vec(-1_000i64..1_000, 1..3_000),
        ) {
            let half = NEIGHBOURS / 2;
            for (here, zero) in zeros(&delays).enumerate() {
                let neighbours = here.saturating_sub(half)..delays.len().min(here + half);
                prop_assert_eq!(zero, *delays[neighbours].iter().min().unwrap());
            }
        }
    }
}

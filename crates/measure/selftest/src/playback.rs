//! When each request is answered: the script as a state machine, without clock and socket.

use crate::course::intended_ns;
use crate::script::Script;

/// The first request comes at most so long after its intended instant. A bound, because requests
/// that come faster than the rate (a closed loop) would otherwise move the beginning ever further
/// into the past.
const LATEST_FIRST_NS: u64 = 100_000_000;

/// A script that is being played to the requests of one client.
#[derive(Debug, Clone)]
pub struct Playback {
    script: Script,
    /// Requests a second that the client means to send.
    rate: f64,
    begin: Option<Begin>,
    /// Requests that came.
    received: u64,
    /// The last silence that a request came in or after.
    silence: Option<u64>,
    /// Requests that came since it began.
    since_silence: u64,
}

/// When the client's schedule began, as far as it is known. No request comes before it is intended,
/// so the `n`-th to come sets a bound: it came at or after `begin + n / rate`. The lowest bound so
/// far is the best estimate, and one request that finds the way free is enough to make it exact.
#[derive(Debug, Clone, Copy)]
struct Begin {
    estimate: u64,
    lowest: u64,
}

impl Playback {
    /// Nothing has come yet.
    pub fn new(script: Script, rate: f64) -> Self {
        Self {
            script,
            rate,
            begin: None,
            received: 0,
            silence: None,
            since_silence: 0,
        }
    }

    /// When the `n`-th request to come (from 0) was intended, in the clock of [`Self::answer_at`].
    pub fn intended(&self, n: u64) -> u64 {
        self.begin.map_or(0, |begin| begin.estimate) + intended_ns(self.rate, n)
    }

    /// A request came at `now` (nanoseconds of any clock, never less than the one before): when to
    /// answer it.
    pub fn answer_at(&mut self, now: u64) -> u64 {
        let n = self.received;
        self.received += 1;
        let begin = self.begin_known_at(now, n);
        match &self.script {
            Script::Constant { delay_ns } => now + delay_ns,
            Script::Mixture(mixture) => now + mixture.delay_ns(n),
            Script::Stall(stall) => {
                let Some(silence) = stall.last_silence(now.saturating_sub(begin)) else {
                    return now;
                };
                if self.silence != Some(silence.number) {
                    self.silence = Some(silence.number);
                    self.since_silence = 0;
                }
                let place = self.since_silence;
                self.since_silence += 1;
                // Turns are given for the whole period. Once the backlog is answered they lie in
                // the past and hold nobody back.
                now.max(begin + stall.answered_ns(silence, place))
            }
        }
    }

    fn begin_known_at(&mut self, now: u64, n: u64) -> u64 {
        let begin = self.begin.get_or_insert(Begin {
            estimate: now,
            lowest: now.saturating_sub(LATEST_FIRST_NS),
        });
        let bound = now.saturating_sub(intended_ns(self.rate, n));
        begin.estimate = begin.estimate.min(bound).max(begin.lowest);
        begin.estimate
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::Stall;
    use proptest::prelude::*;
    use std::time::Duration;

    const MS: u64 = 1_000_000;

    /// Silent from 45 to 55 ms of every 100 ms; then an answer a millisecond.
    fn playback(rate: f64) -> Playback {
        let stall = Stall::new(
            Duration::from_millis(100),
            Duration::from_millis(10),
            1_000.0,
        );
        Playback::new(Script::Stall(stall.unwrap()), rate)
    }

    #[test]
    fn answers_at_once_but_for_the_silence_and_its_backlog() {
        // Enough a second that no request comes too soon.
        let mut playback = playback(1e6);
        let start = 7_000 * MS;
        for (came, answered) in [
            (0, 0),
            (44, 44),
            (45, 55),
            (50, 56),
            (54, 57),
            // Still a backlog.
            (55, 58),
            // It is over.
            (70, 70),
            (70, 70),
            (144, 144),
            // The next silence begins a backlog of its own.
            (146, 155),
            (147, 156),
        ] {
            let at = playback.answer_at(start + came * MS);
            assert_eq!(at, start + answered * MS, "{came}");
        }
        assert_eq!(playback.intended(0), start);
    }

    #[test]
    fn a_client_that_is_late_with_its_backlog_gets_no_more_answers_a_second() {
        let mut playback = playback(1e6);
        playback.answer_at(0);
        // All of them come in the silence, but for those that come long after their turn.
        let answers: Vec<u64> = (0..20)
            .map(|n| playback.answer_at((46 + if n < 10 { 0 } else { 14 }) * MS) / MS)
            .collect();
        assert_eq!(answers[..10], [55, 56, 57, 58, 59, 60, 61, 62, 63, 64]);
        assert_eq!(answers[10..], [65, 66, 67, 68, 69, 70, 71, 72, 73, 74]);
    }

    #[test]
    fn a_first_request_that_is_late_does_not_move_the_silences() {
        // 1,000 a second from 1 s on; the server is kept from reading for the first 5 ms.
        let mut playback = playback(1_000.0);
        let start = 1_000 * MS;
        for n in 0..50 {
            let came = start + n.max(5) * MS;
            let answered = if n < 45 {
                came
            } else {
                start + (55 + n - 45) * MS
            };
            assert_eq!(playback.answer_at(came), answered, "{n}");
        }
        assert_eq!(playback.intended(0), start);
    }

    #[test]
    fn a_closed_loop_does_not_move_the_beginning_out_of_sight() {
        let mut playback = playback(10.0);
        for n in 0..10_000 {
            playback.answer_at(60_000 * MS + n);
        }
        assert_eq!(playback.intended(0), 60_000 * MS - LATEST_FIRST_NS);
    }

    proptest! {
        #[test]
        fn the_beginning_is_known_as_soon_as_one_request_comes_in_time(
            delays in proptest::collection::vec(0u64..20_000_000, 1..200), in_time: prop::sample::Index,
        ) {
            let start = 1_000 * MS;
            let mut delays = delays;
            *in_time.get_mut(&mut delays) = 0;
            // 100 a second; the server gets them in the order in which they come.
            let mut came: Vec<u64> = delays.iter().zip(0..).map(|(d, n)| start + n * 10 * MS + d).collect();
            came.sort_unstable();
            let mut playback = playback(100.0);
            for &now in &came {
                playback.answer_at(now);
            }
            let estimate = playback.intended(0);
            // Never too early; too late by no more than one that overtook has gained.
            prop_assert!(estimate >= start && estimate <= start + 20 * MS);
            if delays.iter().all(|&d| d < 10 * MS) {
                prop_assert_eq!(estimate, start);
            }
        }
    }
}

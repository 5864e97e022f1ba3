//! When each request is answered: the script as a state machine, without clock and socket.

use crate::script::Script;

/// A script that is being played to the requests of one client.
#[derive(Debug, Clone)]
pub struct Playback {
    script: Script,
    /// When the first request of all came; times of the script count from it.
    origin: Option<u64>,
    /// Requests that came.
    received: u64,
    /// The last silence that a request came in or after.
    silence: Option<u64>,
    /// Requests that came since it began.
    since_silence: u64,
}

impl Playback {
    /// Nothing has come yet.
    pub fn new(script: Script) -> Self {
        Self {
            script,
            origin: None,
            received: 0,
            silence: None,
            since_silence: 0,
        }
    }

    /// When the first request of all came, in the clock of [`Self::answer_at`].
    pub fn origin(&self) -> Option<u64> {
        self.origin
    }

    /// A request came at `now` (nanoseconds of any clock, never less than the one before): when to answer it.
    pub fn answer_at(&mut self, now: u64) -> u64 {
        let origin = *self.origin.get_or_insert(now);
        let n = self.received;
        self.received += 1;
        match &self.script {
            Script::Constant { delay_ns } => now + delay_ns,
            Script::Mixture(mixture) => now + mixture.delay_ns(n),
            Script::Stall(stall) => {
                let Some(silence) = stall.last_silence(now - origin) else {
                    return now;
                };
                if self.silence != Some(silence.number) {
                    self.silence = Some(silence.number);
                    self.since_silence = 0;
                }
                let place = self.since_silence;
                self.since_silence += 1;
                // Turns are given for the whole period. Once the backlog is answered they lie in the
                // past and hold nobody back.
                now.max(origin + stall.answered_ns(silence, place))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::Stall;
    use std::time::Duration;

    const MS: u64 = 1_000_000;

    /// Silent from 45 to 55 ms of every 100 ms; then an answer a millisecond.
    fn playback() -> Playback {
        let stall = Stall::new(
            Duration::from_millis(100),
            Duration::from_millis(10),
            1_000.0,
        );
        Playback::new(Script::Stall(stall.unwrap()))
    }

    #[test]
    fn answers_at_once_but_for_the_silence_and_its_backlog() {
        let mut playback = playback();
        let start = 7 * MS;
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
            assert_eq!(
                playback.answer_at(start + came * MS),
                start + answered * MS,
                "{came}"
            );
        }
        assert_eq!(playback.origin(), Some(start));
    }

    #[test]
    fn a_client_that_is_late_with_its_backlog_gets_no_more_answers_a_second() {
        let mut playback = playback();
        playback.answer_at(0);
        // All of them come in the silence, but for those that come long after their turn.
        let answers: Vec<u64> = (0..20)
            .map(|n| playback.answer_at((46 + if n < 10 { 0 } else { 14 }) * MS) / MS)
            .collect();
        assert_eq!(answers[..10], [55, 56, 57, 58, 59, 60, 61, 62, 63, 64]);
        assert_eq!(answers[10..], [65, 66, 67, 68, 69, 70, 71, 72, 73, 74]);
    }
}

//! The seconds of all workers as those of one, for who watches.

use std::collections::BTreeMap;
use std::sync::Arc;
use tacho_histogram_log::Histogram;
use tacho_load::recorder::{Live, Second, quantiles_ms};

/// A second is shown when all have told theirs, or when one has told a second that began so much
/// later: who is slow to tell holds up nobody.
const LATEST_NS: u64 = 2_000_000_000;

/// What is shown of a phase.
#[derive(Debug, Default)]
pub struct Shown {
    live: Arc<Live>,
    /// By the instant at which they began, which is the same for all: the sum, and of how many.
    seconds: BTreeMap<u64, (Second, usize)>,
    so_far: Option<Histogram<u64>>,
    workers: usize,
}

impl Shown {
    pub fn live(&self) -> Arc<Live> {
        Arc::clone(&self.live)
    }

    /// A phase begins, in which so many have a part.
    pub fn begin(&mut self, phase: u32, label: &str, workers: usize) {
        self.seconds.clear();
        self.so_far = None;
        self.workers = workers;
        self.live.begin_phase(phase, label);
    }

    pub fn take(&mut self, second: Second) {
        let latest = second.began_at;
        match self.seconds.get_mut(&latest) {
            Some((sum, of)) => {
                sum.add(&second);
                *of += 1;
            }
            None => drop(self.seconds.insert(latest, (second, 1))),
        }
        while let Some(first) = self.seconds.first_entry() {
            let (_, of) = first.get();
            if *of < self.workers && first.key() + LATEST_NS > latest {
                return;
            }
            let (second, _) = first.remove();
            self.publish(second);
        }
    }

    /// The phase is over: shows what is left.
    pub fn end(&mut self) {
        for (_, (second, _)) in std::mem::take(&mut self.seconds) {
            self.publish(second);
        }
    }

    fn publish(&mut self, second: Second) {
        match &mut self.so_far {
            // Both grow with their values.
            Some(so_far) => {
                let _ = so_far.add(&second.response);
            }
            none => *none = Some(second.response.clone()),
        }
        let so_far = self.so_far.as_ref().and_then(quantiles_ms);
        self.live.publish(second, so_far);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_load::recorder::BINS;

    fn second(began_s: u64, response_ms: &[u64]) -> Second {
        let mut response = Histogram::new(3).unwrap();
        response_ms
            .iter()
            .for_each(|ms| response.record(ms * 1_000_000).unwrap());
        Second {
            began_at: began_s * 1_000_000_000,
            ended_at: (began_s + 1) * 1_000_000_000,
            succeeded: response.len(),
            failed: 0,
            errors: Vec::new(),
            response,
            bins: [0; BINS],
        }
    }

    #[test]
    fn a_second_is_shown_when_all_have_told_theirs_or_one_is_two_seconds_late() {
        let mut shown = Shown::default();
        shown.begin(0, "open", 2);
        let counts = |shown: &Shown| {
            let seconds = shown.live().snapshot().seconds;
            seconds.iter().map(|s| s.succeeded).collect::<Vec<_>>()
        };
        shown.take(second(5, &[1, 2]));
        assert!(counts(&shown).is_empty());
        shown.take(second(5, &[9]));
        assert_eq!(counts(&shown), [3]);
        let times = shown.live().snapshot().response_time_ms.unwrap();
        assert_eq!((times.count, times.max.round()), (3, 9.0));
        // The other one tells nothing any more.
        shown.take(second(6, &[1]));
        assert_eq!(counts(&shown), [3]);
        shown.take(second(8, &[1]));
        assert_eq!(counts(&shown), [3, 1]);
        shown.end();
        assert_eq!(counts(&shown), [3, 1, 1]);
    }
}

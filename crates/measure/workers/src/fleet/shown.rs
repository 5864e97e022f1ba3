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

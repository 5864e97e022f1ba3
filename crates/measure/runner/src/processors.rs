//! Who uses the processors while the subject is loaded.

use std::time::Instant;
use tacho_clock as clock;
use tacho_observe::{machine, process, processors};
use tacho_run_folder::ProcessorUse;

/// Whose time is counted.
#[derive(Debug, Clone, Copy)]
pub enum Share<'a> {
    /// The whole machine is there for one launch, and for its companions.
    Machine,
    /// One launch of two has these processors for itself.
    Side(&'a [u32]),
}

/// The counters at one instant.
#[derive(Debug, Clone, Copy)]
pub struct Counters {
    at: Instant,
    busy_cpu_s: Option<f64>,
    subject_cpu_s: Option<f64>,
    tacho_cpu_s: f64,
    companions_cpu_s: f64,
    steal_s: Option<f64>,
    /// Their number; `None` of the whole machine.
    processors: Option<u32>,
}

impl Counters {
    /// Reads them now, beside those of the subject and of its companions, which the caller knows
    /// best where to read.
    pub fn now(subject_cpu_s: Option<f64>, companions_cpu_s: f64, share: Share<'_>) -> Self {
        match share {
            Share::Machine => Self {
                at: Instant::now(),
                busy_cpu_s: process::all_cpu_s(),
                subject_cpu_s,
                tacho_cpu_s: clock::process_cpu_s(),
                companions_cpu_s,
                steal_s: machine::steal_s(),
                processors: None,
            },
            Share::Side(side) => {
                let busy = processors::busy(side);
                Self {
                    at: Instant::now(),
                    busy_cpu_s: busy.map(|busy| busy.busy_s),
                    subject_cpu_s,
                    tacho_cpu_s: processors::own_cpu_s(side),
                    companions_cpu_s: 0.0,
                    steal_s: busy.map(|busy| busy.steal_s),
                    processors: u32::try_from(side.len()).ok(),
                }
            }
        }
    }

    /// On a machine where nothing else runs.
    #[cfg(test)]
    pub fn of_subject(subject_cpu_s: Option<f64>) -> Self {
        static ORIGIN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
        Self {
            at: *ORIGIN,
            busy_cpu_s: subject_cpu_s,
            subject_cpu_s,
            tacho_cpu_s: 0.0,
            companions_cpu_s: 0.0,
            steal_s: None,
            processors: None,
        }
    }

    /// Processor time of the subject since then; 0 where it is not known.
    pub fn subject_used_since(&self, then: &Self) -> f64 {
        let (now, then) = (self.subject_cpu_s, then.subject_cpu_s);
        (now.unwrap_or(0.0) - then.unwrap_or(0.0)).max(0.0)
    }

    /// What the hypervisor gave to others since then; 0 where it is not known.
    pub fn stolen_since(&self, then: &Self) -> f64 {
        let stolen = self.steal_s.zip(then.steal_s);
        stolen.map_or(0.0, |(now, then)| (now - then).max(0.0))
    }

    /// What was used since then. `None` unless all of it is known: what the subject took must not
    /// pass for its neighbours'.
    pub fn used_since(&self, then: &Self) -> Option<ProcessorUse> {
        Some(ProcessorUse {
            span_s: self.at.duration_since(then.at).as_secs_f64(),
            busy_cpu_s: (self.busy_cpu_s? - then.busy_cpu_s?).max(0.0),
            subject_cpu_s: (self.subject_cpu_s? - then.subject_cpu_s?).max(0.0),
            // For one side of a duet, only threads that have not ended are counted.
            tacho_cpu_s: (self.tacho_cpu_s - then.tacho_cpu_s).max(0.0),
            // A companion that has ended is no longer counted, so that the difference may be
            // negative: then 0 is taken.
            companions_cpu_s: (self.companions_cpu_s - then.companions_cpu_s).max(0.0),
            processors: self.processors,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_rest_is_the_neighbours() {
        let then = Counters {
            at: Instant::now(),
            busy_cpu_s: Some(1000.0),
            subject_cpu_s: Some(3.0),
            tacho_cpu_s: 0.5,
            companions_cpu_s: 7.0,
            steal_s: None,
            processors: None,
        };
        let now = Counters {
            at: then.at + Duration::from_secs(10),
            busy_cpu_s: Some(1016.0),
            subject_cpu_s: Some(11.0),
            tacho_cpu_s: 3.5,
            companions_cpu_s: 9.0,
            steal_s: None,
            processors: None,
        };
        let used = now.used_since(&then).unwrap();
        assert_eq!((used.span_s, used.others_cpu_s()), (10.0, 3.0));
        assert_eq!(used.companions_cpu_s, 2.0);
        // Each process is counted in whole ticks: nobody else was there.
        let quiet = Counters {
            busy_cpu_s: Some(1010.9),
            ..now
        };
        assert_eq!(quiet.used_since(&then).unwrap().others_cpu_s(), 0.0);
        let ended = Counters {
            companions_cpu_s: 0.0,
            ..now
        };
        assert_eq!(ended.used_since(&then).unwrap().others_cpu_s(), 5.0);
        let unknown = Counters {
            subject_cpu_s: None,
            ..now
        };
        assert_eq!(unknown.used_since(&then), None);
    }

    #[test]
    fn this_process_is_not_its_own_neighbour() {
        let share = Share::Machine;
        let then = Counters::now(Some(0.0), 0.0, share);
        while clock::process_cpu_s() - then.tacho_cpu_s < 0.1 {}
        let used = Counters::now(Some(0.0), 0.0, share)
            .used_since(&then)
            .unwrap();
        assert!(used.tacho_cpu_s >= 0.1 && used.span_s > 0.0, "{used:?}");
        assert_eq!(used.processors, None);
    }

    #[test]
    fn a_side_counts_what_runs_on_its_processors() {
        let halves = processors::halves().unwrap();
        let side = halves.map_or_else(|| vec![0], |halves| halves.halves[1].clone());
        let on_side = processors::on(&side, || {
            let then = Counters::now(Some(0.0), 0.0, Share::Side(&side));
            let own = clock::thread_cpu_s();
            while clock::thread_cpu_s() - own < 0.1 {}
            Counters::now(Some(0.0), 0.0, Share::Side(&side))
                .used_since(&then)
                .unwrap()
        });
        let used = on_side.unwrap();
        // What a thread that runs has used is brought up to date now and then.
        assert!(used.tacho_cpu_s >= 0.05, "{used:?}");
        assert_eq!(used.processors, u32::try_from(side.len()).ok());
    }
}

//! What a run would meet here, before anything is started: `tacho run --dry-run`.

use crate::error::RunError;
use crate::limits::{self, Groups};
use crate::making::{Fate, fate};
use crate::run::processors;
use std::path::Path;
use std::time::Duration;
use tacho_experiment::Experiment;
use tacho_run_folder::{DuetWindows, PhaseKind, PhasePlan, Plan};
use tacho_subject::Surroundings;

/// What becomes of each variant, in the order of the file.
#[derive(Debug)]
pub struct Preflight {
    /// Name of the variant, and what becomes of it.
    pub fates: Vec<(String, Fate)>,
}

impl Preflight {
    /// What keeps the run from beginning, if anything does.
    #[must_use]
    pub fn into_error(self) -> Option<RunError> {
        self.fates.into_iter().find_map(|(_, fate)| match fate {
            Fate::Impossible(error) => Some(*error),
            _ => None,
        })
    }
}

/// Looks whether this machine can give launches their limits. Launches elsewhere get theirs there.
///
/// # Errors
/// When it cannot.
pub fn limits_can_be_given(experiment: &Experiment) -> Result<(), RunError> {
    Groups::new(&format!("dry-run-{}", std::process::id()))
        .check(&limits::asked_for(experiment), processors(experiment)?)?;
    Ok(())
}

/// Looks whether the variants of an experiment can be made on this machine: what they are made
/// from, JDKs and tools.
#[must_use]
pub fn preflight(experiment: &Experiment, base: &Path, surroundings: &Surroundings) -> Preflight {
    let variants = experiment.variants.iter();
    let fates = variants.map(|spec| {
        let fate = fate(experiment, spec, base, surroundings);
        (spec.name.clone(), fate)
    });
    Preflight {
        fates: fates.collect(),
    }
}

/// How long the phases of one launch take, as far as their plan tells.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LoadTime {
    /// Of those that end by time; one that may end sooner at its longest.
    pub seconds: f64,
    /// Some may end sooner: when throughput is steady, or all requests are answered.
    pub is_at_most: bool,
    /// Requests of those that end when all are answered.
    pub requests: u64,
    /// There are phases that tell neither: a search, the replay of a recording.
    pub is_open_ended: bool,
}

impl LoadTime {
    /// Of these phases.
    #[must_use]
    pub fn of(phases: &[PhasePlan]) -> Self {
        let mut sum = Self::default();
        for phase in phases {
            match (&phase.kind, phase.kind.duration_s()) {
                (kind, Some(seconds)) => {
                    sum.seconds += seconds;
                    sum.is_at_most |= matches!(
                        kind,
                        PhaseKind::Settle { .. }
                            | PhaseKind::Closed {
                                requests: Some(_),
                                ..
                            }
                    );
                }
                (PhaseKind::Cold { requests }, None)
                | (
                    PhaseKind::Closed {
                        requests: Some(requests),
                        ..
                    },
                    None,
                ) => sum.requests = sum.requests.saturating_add(*requests),
                _ => sum.is_open_ended = true,
            }
        }
        sum
    }
}

/// So long a start is taken to last before one was seen: that of a service of middle size on a JVM.
pub const START: Duration = Duration::from_secs(3);

/// How long all launches of a run take, as far as its plan tells. Building and warming come on top,
/// and phases that end with their requests.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RunTime {
    /// Starts one after another; two at the same time count as one.
    pub starts: usize,
    /// Load of all launches, in seconds.
    pub load_s: f64,
    /// Rests between them, in seconds.
    pub rests_s: f64,
}

impl RunTime {
    /// Of this plan, with its launches that are diagnosed.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        let measured = plan.launches.len().div_ceil(plan.at_once());
        let starts = measured + plan.diagnosis.len();
        let windows = plan.duet.as_ref().and_then(|duet| duet.windows.as_ref());
        let windows_s = windows.map_or(0.0, of_windows) * measured as f64;
        Self {
            starts,
            load_s: LoadTime::of(&plan.phases).seconds * starts as f64 + windows_s,
            rests_s: plan.rest_s * starts.saturating_sub(1) as f64,
        }
    }

    /// In all, if a start takes so long.
    #[must_use]
    pub fn whole(&self, start: Duration) -> Duration {
        let starts_s = start.as_secs_f64() * self.starts as f64;
        Duration::try_from_secs_f64(self.load_s + self.rests_s + starts_s).unwrap_or(Duration::MAX)
    }
}

/// In each round one for both sides, and one for each by itself.
fn of_windows(windows: &DuetWindows) -> f64 {
    windows.load.duration_s().unwrap_or(0.0) * 3.0 * f64::from(windows.rounds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_run_folder::{Duet, PlannedLaunch};

    fn phase(kind: PhaseKind) -> PhasePlan {
        PhasePlan {
            label: "phase".to_owned(),
            kind,
        }
    }

    #[test]
    fn times_and_requests_add_up_apart() {
        let phases = [
            phase(PhaseKind::Cold { requests: 5 }),
            phase(PhaseKind::Rest { duration_s: 2.0 }),
            phase(PhaseKind::Open {
                rate: 100.0,
                duration_s: 30.0,
                connections: 8,
            }),
            phase(PhaseKind::Closed {
                requests: Some(1_000),
                duration_s: None,
                connections: 8,
                ramp_s: 0.0,
                think: None,
            }),
        ];
        let time = LoadTime::of(&phases);
        assert_eq!((time.seconds, time.requests), (32.0, 1_005));
        assert!(!time.is_open_ended && !time.is_at_most);
    }

    #[test]
    fn a_phase_that_may_end_sooner_counts_at_its_longest() {
        let settle = PhaseKind::Settle {
            within_s: 20.0,
            connections: 32,
        };
        let time = LoadTime::of(&[phase(settle)]);
        assert_eq!((time.seconds, time.is_at_most), (20.0, true));
        let either = PhaseKind::closed(1_000, 8).lasting(5.0);
        let time = LoadTime::of(&[phase(either)]);
        assert_eq!((time.seconds, time.is_at_most), (5.0, true));
        assert_eq!(time.requests, 0);
    }

    fn plan(launches: u32, diagnosed: u32, duet: Option<Duet>) -> Plan {
        let planned = |numbers: std::ops::RangeInclusive<u32>| -> Vec<PlannedLaunch> {
            let launches = numbers.map(|number| PlannedLaunch {
                number,
                cell: "jar".to_owned(),
                replicate: number,
                again: None,
            });
            launches.collect()
        };
        Plan {
            seed: 1,
            launches_per_cell: launches,
            looks: Vec::new(),
            rest_s: 2.0,
            baseline: "jar".to_owned(),
            aa: None,
            duet,
            threshold: 0.05,
            cells: Vec::new(),
            pods: 1,
            warm_up: None,
            phases: vec![phase(PhaseKind::Rest { duration_s: 10.0 })],
            requests: None,
            apart: false,
            launches: planned(1..=launches),
            diagnosis: planned(launches + 1..=launches + diagnosed),
            checks: Vec::new(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn a_run_is_its_starts_its_load_and_the_rests_between() {
        let time = RunTime::of(&plan(4, 1, None));
        assert_eq!((time.starts, time.load_s, time.rests_s), (5, 50.0, 8.0));
        assert_eq!(time.whole(START), Duration::from_secs(50 + 8 + 15));
        let nothing = RunTime::of(&plan(0, 0, None));
        assert_eq!(nothing.whole(START), Duration::ZERO);
    }

    #[test]
    fn two_launches_at_the_same_time_start_once_and_have_windows_on_top() {
        let windows = DuetWindows {
            repeats: "closed".to_owned(),
            load: PhaseKind::Rest { duration_s: 1.0 },
            rounds: 3,
        };
        let duet = Duet {
            halves: [vec![0], vec![1]],
            share_a_core: false,
            windows: Some(windows),
        };
        let time = RunTime::of(&plan(4, 0, Some(duet)));
        assert_eq!(
            (time.starts, time.load_s, time.rests_s),
            (2, 2.0 * 19.0, 2.0)
        );
    }
}

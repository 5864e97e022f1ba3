//! Whether an experiment can be a duet on this machine, and how.

use tacho_experiment::Experiment;
use tacho_observe::processors::{Halves, halves};
use tacho_run_folder::{Duet, DuetWindows, PhaseKind, PhasePlan};

/// How long each window of the proof takes at most.
const WINDOW_S: f64 = 1.0;
/// The same bound as a share of the phase that a window repeats: all nine windows together take
/// less time than that phase.
const WINDOW_SHARE: f64 = 0.1;
/// As many as the three that every comparison needs at least.
const ROUNDS: u32 = 3;

/// Why two launches cannot run at the same time.
#[derive(Debug, thiserror::Error)]
pub enum DuetError {
    /// There are not two variants.
    #[error(
        "a duet runs two variants at the same time, and this experiment has {} ({}); choose a baseline and a candidate with --variants, or measure one against itself with --aa",
        .0.len(),
        .0.join(", ")
    )]
    NotTwo(Vec<String>),
    /// Nothing can be divided.
    #[error(
        "a duet gives each of two launches half of the processors, and Tacho may use one only; run without --duet"
    )]
    OneProcessor,
    /// What the subject needs would be on both sides' processors.
    #[error(
        "companions run on the processors of both sides of a duet and would slow down now one and now the other; run without --duet, or put them on another machine"
    )]
    Companions,
    /// The kernel does not say where this process may run.
    #[error("cannot find out which processors can be divided: {0}; run without --duet")]
    Unknown(#[from] std::io::Error),
}

/// How the experiment is carried out as a duet; `None` where that is not asked for.
pub fn duet(experiment: &Experiment) -> Result<Option<Duet>, DuetError> {
    if !experiment.duet {
        return Ok(None);
    }
    if experiment.variants.len() != 2 {
        let names = experiment.variants.iter().map(|v| v.name.clone());
        return Err(DuetError::NotTwo(names.collect()));
    }
    if !experiment.companions.is_empty() || !experiment.running_companions.is_empty() {
        return Err(DuetError::Companions);
    }
    let Halves {
        halves,
        share_a_core,
    } = halves()?.ok_or(DuetError::OneProcessor)?;
    Ok(Some(Duet {
        halves,
        share_a_core,
        windows: windows(&experiment.phases),
    }))
}

/// Of the last phase that loads the subject evenly.
fn windows(phases: &[PhasePlan]) -> Option<DuetWindows> {
    let mut phases = phases.iter().rev();
    let repeated = phases.find(|phase| {
        matches!(
            phase.kind,
            PhaseKind::Closed { .. } | PhaseKind::Open { .. }
        )
    })?;
    let share_s = repeated.kind.duration_s().map(|s| s * WINDOW_SHARE);
    let window_s = share_s.unwrap_or(WINDOW_S).min(WINDOW_S);
    let mut load = repeated.kind.clone().lasting(window_s);
    // Ended by time, not by a number of requests.
    if let PhaseKind::Closed {
        requests, ramp_s, ..
    } = &mut load
    {
        (*requests, *ramp_s) = (None, 0.0);
    }
    Some(DuetWindows {
        repeats: repeated.label.clone(),
        load,
        rounds: ROUNDS,
    })
}

/// What a reader of the figures has to know.
pub fn note(duet: &Duet) -> String {
    let list = |half: &[u32]| {
        let numbers: Vec<String> = half.iter().map(u32::to_string).collect();
        numbers.join(", ")
    };
    let [first, second] = &duet.halves;
    let each = match first.len() {
        1 => "one processor; a JVM takes the serial collector there unless it is told otherwise"
            .to_owned(),
        several => format!("{several} processors"),
    };
    let shared = match duet.share_a_core {
        true => " Both are threads of the same core.",
        false => "",
    };
    format!(
        "duet: both variants run at the same time, on processors {} and {} in turn; figures are those of a service that, with its load generator, has {each}.{shared}",
        list(first),
        list(second),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase(label: &str, kind: PhaseKind) -> PhasePlan {
        PhasePlan {
            label: label.to_owned(),
            kind,
        }
    }

    #[test]
    fn the_last_even_load_is_repeated_for_a_second_at_most() {
        let open = |duration_s| PhaseKind::Open {
            rate: 50.0,
            duration_s,
            connections: 2,
        };
        let phases = [
            phase("cold", PhaseKind::Cold { requests: 10 }),
            phase("closed", PhaseKind::closed(100, 4)),
        ];
        let windows_of = |phases: &[PhasePlan]| windows(phases).unwrap();
        let closed = windows_of(&phases);
        assert_eq!((closed.repeats.as_str(), closed.rounds), ("closed", 3));
        assert_eq!(
            closed.load,
            PhaseKind::Closed {
                requests: None,
                duration_s: Some(1.0),
                connections: 4,
                ramp_s: 0.0,
                think: None,
            }
        );
        assert_eq!(closed.alone(2).label, "duet-alone-2");
        assert_eq!(closed.beside(1).label, "duet-beside-1");
        let opens = [
            phase("open", open(30.0)),
            phase("rest", PhaseKind::Rest { duration_s: 1.0 }),
        ];
        assert_eq!(windows_of(&opens).load, open(1.0));
        assert_eq!(windows_of(&[phase("open", open(2.5))]).load, open(0.25));
        assert_eq!(windows(&phases[..1]), None);
    }
}

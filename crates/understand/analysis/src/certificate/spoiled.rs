//! Whether a single launch was spoiled, asked as soon as it is over: then it is run again.

use super::bounds::{OTHERS_DEGRADED, OTHERS_INVALID, OTHERS_SHORTEST_S, STEAL_DEGRADED};
use super::machine::{others_share, stolen_share};
use tacho_figures::percent;
use tacho_run_folder::{
    CertificateState, Evidence, LaunchOutcome, LaunchRecord, Quantile, RunData, lateness_of,
};

/// What was wrong with a launch that came to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spoil {
    /// The machine was busy with something else: none of its figures is to be used.
    Disturbed(String),
    /// The generator was late: figures that it touched are left out by themselves, and the others
    /// count.
    Late(String),
}

/// Quantiles that single accidents do not move: a p99.9 that is late is left out, and no reason for
/// another launch.
const WORTH_A_LAUNCH: [Quantile; 4] = [Quantile::P50, Quantile::P90, Quantile::P95, Quantile::P99];

/// What is beside every launch, whoever else is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// Nothing: a machine that may be quiet.
    Nothing,
    /// The processes of a cluster, on its node.
    Cluster,
}

/// What was wrong with a launch on a machine with this many processors. `None` where nothing was,
/// and for a launch that did not complete: its record says why it failed.
#[must_use]
pub fn spoiled(record: &LaunchRecord, cpus: u32, beside: Beside) -> Option<Spoil> {
    if record.outcome != LaunchOutcome::Completed {
        return None;
    }
    // Over a shorter time a single clock tick would be too large a share.
    let loaded_s: f64 = record.phases.iter().map(|phase| phase.duration_s).sum();
    // A launch on a quiet machine is judged by the bound that makes a run doubtful; one beside a
    // cluster by the bound that makes it invalid. What others took is measured apart from what
    // users felt, so leaving such a launch out favours no result, and one of fifty casts no doubt
    // on the run.
    let bound = match beside {
        Beside::Nothing => OTHERS_DEGRADED,
        Beside::Cluster => OTHERS_INVALID,
    };
    let others = others_share(record, cpus).filter(|share| *share > bound);
    let stolen = stolen_share(record, cpus)
        .filter(|share| *share > STEAL_DEGRADED && loaded_s >= OTHERS_SHORTEST_S);
    // Both sides of a duet are disturbed alike.
    let is_alone = record.duet.is_none();
    if let Some(share) = others.filter(|_| is_alone) {
        return Some(Spoil::Disturbed(format!(
            "other processes took {} of the machine's processor time while it was loaded",
            percent(share)
        )));
    }
    if let Some(share) = stolen.filter(|_| is_alone) {
        return Some(Spoil::Disturbed(format!(
            "the hypervisor gave {} of the machine's processor time to others",
            percent(share)
        )));
    }
    let late = record.phases.iter().find_map(|phase| {
        let late = lateness_of(phase)?.late;
        let quantile = WORTH_A_LAUNCH.into_iter().find(|q| late.contains(q))?;
        Some(format!(
            "the generator was late in {}, so that its {quantile} is left out",
            phase.label
        ))
    });
    late.map(Spoil::Late)
}

/// Says which launches were run again, and as which. The records of both are kept.
pub fn run_again(run: &RunData) -> Option<Evidence> {
    let planned = run.plan.launches.iter();
    let again: Vec<(u32, u32)> = planned
        .filter_map(|launch| Some((launch.again?, launch.number)))
        .collect();
    let pairs: Vec<String> = again
        .iter()
        .map(|(first, second)| format!("{first} as {second}"))
        .collect();
    (!again.is_empty()).then(|| Evidence {
        rule: "run-again".to_owned(),
        state: CertificateState::Valid,
        statement: format!(
            "{} disturbed and run again ({}); bound a fifth of all",
            match again.len() {
                1 => "1 launch was".to_owned(),
                n => format!("{n} launches were"),
            },
            pairs.join(", ")
        ),
        launches: again.iter().map(|(_, second)| *second).collect(),
    })
}

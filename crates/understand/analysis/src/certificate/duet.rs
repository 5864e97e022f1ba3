//! Two launches at the same time: whether one starves the other.
//!
//! Each has processors of its own, and shares with the other what cannot be divided: caches,
//! memory, the units of a core. In windows of a second both are loaded together, and then each by
//! itself, so that what a side loses by the other's company is seen within one process and within
//! seconds. A ratio of both sides is wrong by what one loses more than the other.

use super::{completed, evidence};
use crate::told_apart::FEWEST_BLOCKS;
use std::collections::BTreeMap;
use tacho_figures::percent;
use tacho_run_folder::{
    CertificateState, DuetWindows, Evidence, LaunchRecord, PhaseRecord, PhaseTag, RunData,
};
use tacho_statistics::student;

/// The chance beyond either end of a 95 % interval.
const TAIL: f64 = 0.025;

/// By what factor a ratio of both sides is wrong, as a natural logarithm.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bias {
    mean: f64,
    /// Its 95 % interval reaches so far to both sides.
    error: f64,
    /// How much slower each side is beside the other, likewise, in the order of the cells.
    losses: [f64; 2],
}

/// Whether neither side starved the other, for each pair of cells that was compared.
pub fn duet(run: &RunData) -> Option<Evidence> {
    let duet = run.plan.duet.as_ref()?;
    let Some(windows) = &duet.windows else {
        return evidence(
            "duet",
            CertificateState::Degraded,
            "whether one side starved the other could not be checked: that needs a closed or open phase, and there is none".to_owned(),
            Vec::new(),
        );
    };
    let pairs: Vec<_> = run.plan.cells.chunks(2).collect();
    let judged = pairs.iter().filter_map(|pair| {
        let [a, b] = pair else { return None };
        let names = [&a.id, &b.id].map(|id| format!("`{id}`"));
        let bias = bias(run, [&a.id, &b.id], windows);
        Some(told(bias, &names, run.plan.threshold.max(0.0)))
    });
    let (state, statements): (Vec<_>, Vec<_>) = judged.unzip();
    let launches = completed(run).map(|launch| launch.record.number);
    evidence(
        "duet",
        state.into_iter().max()?,
        statements.join("; "),
        launches.collect(),
    )
}

fn told(bias: Option<Bias>, names: &[String; 2], threshold: f64) -> (CertificateState, String) {
    let bound = percent(threshold);
    let Some(bias) = bias else {
        return (
            CertificateState::Degraded,
            format!(
                "whether {} or {} starved the other could not be told: fewer than {FEWEST_BLOCKS} pairs came to their end",
                names[0], names[1]
            ),
        );
    };
    let (edge, far) = (threshold.ln_1p(), bias.mean.abs());
    let is_within = far + bias.error <= edge;
    let is_beyond = far - bias.error > edge;
    let reach = |end: f64| percent((bias.mean + end).exp_m1());
    let seen = format!(
        "beside each other {} {} and {} {}, which makes their ratio wrong by {} ({} to {}); bound {bound}",
        names[0],
        lost(bias.losses[0]),
        names[1],
        lost(bias.losses[1]),
        reach(0.0),
        reach(-bias.error),
        reach(bias.error),
    );
    match (is_within, is_beyond) {
        (true, _) => (CertificateState::Valid, seen),
        (_, true) => (
            CertificateState::Degraded,
            format!("{seen}: they share caches and memory; run without --duet"),
        ),
        _ => (
            CertificateState::Degraded,
            format!("{seen}: not shown to be within bounds; more launches would tell"),
        ),
    }
}

/// What a side lost (or gained), as a share of the throughput that it has by itself.
fn lost(loss: f64) -> String {
    match loss >= 0.0 {
        true => format!("lost {}", percent(-(-loss).exp_m1())),
        // A gain is chance, or the subject was still warming up.
        false => format!("gained {}", percent((-loss).exp_m1())),
    }
}

/// The bias over all pairs of launches of two cells; `None` where there are too few pairs.
fn bias(run: &RunData, cells: [&str; 2], windows: &DuetWindows) -> Option<Bias> {
    let mut pairs: BTreeMap<u32, [Option<f64>; 2]> = BTreeMap::new();
    for launch in completed(run) {
        let record = &launch.record;
        let side = cells.iter().position(|cell| **cell == record.cell);
        if let (Some(side), Some(loss)) = (side, loss(record, windows)) {
            pairs.entry(record.block()).or_default()[side] = Some(loss);
        }
    }
    let pairs: Vec<[f64; 2]> = pairs
        .into_values()
        .filter_map(|pair| Some([pair[0]?, pair[1]?]))
        .collect();
    let count = pairs.len();
    if count < FEWEST_BLOCKS {
        return None;
    }
    let mean = |of: &dyn Fn(&[f64; 2]) -> f64| pairs.iter().map(of).sum::<f64>() / count as f64;
    let difference = |pair: &[f64; 2]| pair[1] - pair[0];
    let all = mean(&difference);
    let squares = mean(&|pair| (difference(pair) - all).powi(2));
    let variance = squares * count as f64 / (count - 1) as f64;
    Some(Bias {
        mean: all,
        error: student::quantile(TAIL, (count - 1) as f64) * (variance / count as f64).sqrt(),
        losses: [0, 1].map(|side| mean(&|pair| pair[side])),
    })
}

/// How much slower a launch was beside the other, on a logarithmic scale: the mean of the rounds.
fn loss(record: &LaunchRecord, windows: &DuetWindows) -> Option<f64> {
    let slowness = |label: &str| {
        let phase = record.phases.iter().find(|phase| phase.label == label)?;
        slowness(phase)
    };
    let losses: Vec<f64> = (1..=windows.rounds)
        .filter_map(|round| {
            let beside = slowness(&windows.beside(round).label)?;
            Some(beside - slowness(&windows.alone(round).label)?)
        })
        .collect();
    (!losses.is_empty()).then(|| losses.iter().sum::<f64>() / losses.len() as f64)
}

/// On a logarithmic scale: the time a request of a closed loop, the median of an even load.
pub fn slowness(phase: &PhaseRecord) -> Option<f64> {
    let value = match phase.kind {
        PhaseTag::Closed => 1.0 / phase.throughput,
        PhaseTag::Open => phase.response_time_ms?.p50,
        _ => return None,
    };
    Some(value.ln()).filter(|value| value.is_finite())
}

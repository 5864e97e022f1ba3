//! The part of a phase in which the subject was steady: what throughput and processor time a
//! request are taken from.

use super::read::answered;
use tacho_run_folder::{LaunchData, PhaseRecord, PhaseTag, Sample};
use tacho_statistics::steady_state::{Steadiness, Window, steadiness};

/// What was counted in a phase, or in its steady part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    /// Answers a second.
    pub throughput: f64,
    /// Processor time of the subject, in milliseconds; `None` where nothing was answered.
    pub cpu_per_request_ms: Option<f64>,
    /// It was shown to be steady; `None` where that is not asked, or nobody looked.
    pub is_steady: Option<bool>,
}

/// The steady part of a phase. Only phases with an even load are asked whether they are steady: a
/// search, a ramp and the first requests are not even, and a settle phase records itself whether it
/// became steady.
#[must_use]
pub fn part(launch: &LaunchData, phase: &PhaseRecord) -> Part {
    let whole = whole(phase);
    let samples = samples_of(launch, phase);
    if !is_even(phase) || samples.len() < 2 {
        return whole;
    }
    match judge(phase, samples) {
        Steadiness::From(from) => Part {
            is_steady: Some(true),
            // All of it, exactly, where it was steady throughout.
            ..match from {
                0 => whole,
                _ => of_samples(launch, &samples[from..], whole),
            }
        },
        Steadiness::Changing => Part {
            is_steady: Some(false),
            ..whole
        },
        Steadiness::CannotTell => Part {
            is_steady: Some(was_steady_before(launch, phase)),
            ..whole
        },
    }
}

fn is_even(phase: &PhaseRecord) -> bool {
    matches!(phase.kind, PhaseTag::Closed | PhaseTag::Open)
}

fn whole(phase: &PhaseRecord) -> Part {
    let count = answered(phase);
    Part {
        throughput: phase.throughput,
        // A processor time of exactly 0 means that it is not known, as for a service whose pods
        // come and go.
        cpu_per_request_ms: (count > 0 && phase.subject_cpu_s > 0.0)
            .then(|| phase.subject_cpu_s * 1e3 / count as f64),
        is_steady: None,
    }
}

/// The samples from the beginning of a phase to its end.
fn samples_of<'a>(launch: &'a LaunchData, phase: &PhaseRecord) -> &'a [Sample] {
    let end_ms = phase.started_ms + phase.duration_s * 1e3;
    let from = launch
        .samples
        .partition_point(|s| s.at_ms < phase.started_ms);
    let to = launch.samples.partition_point(|s| s.at_ms <= end_ms);
    launch.samples.get(from..to).unwrap_or_default()
}

/// A closed loop is judged by its answers, an even load by the processor time that it costs.
fn judge(phase: &PhaseRecord, samples: &[Sample]) -> Steadiness {
    let amount = |before: &Sample, after: &Sample| match phase.kind {
        PhaseTag::Open => (after.cpu_s - before.cpu_s).max(0.0),
        _ => after.requests.saturating_sub(before.requests) as f64,
    };
    let windows: Vec<Window> = samples
        .windows(2)
        .map(|two| Window {
            length_s: (two[1].at_ms - two[0].at_ms) / 1e3,
            amount: amount(&two[0], &two[1]),
        })
        .collect();
    steadiness(&windows)
}

fn of_samples(launch: &LaunchData, samples: &[Sample], whole: Part) -> Part {
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else {
        return whole;
    };
    let answered = last.requests.saturating_sub(first.requests) as f64;
    let cpu_ms = (last.cpu_s - first.cpu_s) * 1e3;
    // The samples are those of the first process alone.
    let is_all = launch.record.pods.is_empty() && answered > 0.0;
    Part {
        throughput: answered / ((last.at_ms - first.at_ms) / 1e3),
        cpu_per_request_ms: match is_all {
            true => Some(cpu_ms / answered),
            false => whole.cpu_per_request_ms,
        },
        is_steady: None,
    }
}

/// Where a phase cannot be judged, it counts as steady if a phase before it was.
fn was_steady_before(launch: &LaunchData, phase: &PhaseRecord) -> bool {
    let phases = launch.record.phases.iter();
    let mut before = phases.take_while(|other| other.label != phase.label);
    before.any(|other| match other.settled {
        Some(settled) => settled,
        None => part(launch, other).is_steady == Some(true),
    })
}

#[cfg(test)]
mod tests;

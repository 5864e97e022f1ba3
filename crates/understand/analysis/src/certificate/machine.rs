//! Rules about the surroundings: the hypervisor, the neighbours and the limits.

use super::bounds::{
    FULL_WITH_COMPANIONS, OTHERS_DEGRADED, OTHERS_INVALID, OTHERS_SHORTEST_S, STEAL_DEGRADED,
    STEAL_FLOOR_S, STEAL_INVALID,
};
use super::unseen::is_unseen;
use super::{Reading, completed, evidence, judge, stolen};
use std::collections::BTreeSet;
use tacho_figures::percent;
use tacho_run_folder::{
    CertificateState, Evidence, LaunchData, LaunchRecord, Limits, LimitsSeen, ProcessorUse, RunData,
};

/// Kernels round a quota to microseconds and memory to pages.
const READ_BACK: f64 = 0.01;

/// The processors that a launch had for itself: those of its side, or of the machine.
fn own_processors(record: &LaunchRecord, cpus: u32) -> u32 {
    let side = record.duet.as_ref().map(|duet| duet.processors.len());
    side.map_or(cpus, |side| side as u32).max(1)
}

/// The share of the processor time that was stolen during the phases of a launch: of the machine,
/// or of its side of a duet. 0 up to [`STEAL_FLOOR_S`].
pub fn stolen_share(record: &LaunchRecord, cpus: u32) -> Option<f64> {
    let phases = || record.phases.iter();
    let cpus = f64::from(own_processors(record, cpus));
    let capacity_s = phases().map(|p| p.duration_s).sum::<f64>() * cpus;
    let stolen_s: f64 = phases().map(|p| p.steal_s).sum();
    let counted_s = if stolen_s > STEAL_FLOOR_S {
        stolen_s
    } else {
        0.0
    };
    (capacity_s > 0.0).then_some(counted_s / capacity_s)
}

/// The share of the machine's processor time that other processes took while a launch was loaded.
/// `None` where it was loaded for too short a time to tell.
pub fn others_share(record: &LaunchRecord, cpus: u32) -> Option<f64> {
    let used = used_while_loaded(record);
    let span_s: f64 = used.iter().map(|u| u.span_s).sum();
    let others_s: f64 = used.iter().map(ProcessorUse::others_cpu_s).sum();
    let capacity_s = span_s * f64::from(own_processors(record, cpus));
    (span_s >= OTHERS_SHORTEST_S).then_some(others_s / capacity_s)
}

/// The bound beyond which a run is invalid; a duet has none. A disturbance that hits both sides
/// alike is what a duet is made to cancel out.
fn invalid_above(run: &RunData, bound: f64) -> f64 {
    match run.plan.duet {
        Some(_) => f64::INFINITY,
        None => bound,
    }
}

/// The further bound of a reading, where it has one.
fn and_invalid(reading: &Reading) -> String {
    match reading.invalid_above.is_finite() {
        true => format!(", invalid above {}", percent(reading.invalid_above)),
        false => String::new(),
    }
}

/// Processor time that other guests of the host took while the phases ran.
pub fn steal(run: &RunData) -> Option<Evidence> {
    let readings: Vec<Reading> = completed(run)
        .filter_map(|launch| {
            let share = stolen_share(&launch.record, run.header.machine.cpus)?;
            Some(Reading {
                invalid_above: invalid_above(run, STEAL_INVALID),
                ..Reading::of_launch(launch, share, STEAL_DEGRADED)
            })
        })
        .collect();
    let effect = stolen::effect(run, STEAL_DEGRADED);
    let threshold = run.plan.threshold.max(0.0);
    let mut judged = judge("steal", &readings, |worst| {
        let share = format!(
            "the hypervisor gave up to {} of the machine's processor time to others ({}); bound {}{}",
            percent(worst.value),
            worst.place,
            percent(STEAL_DEGRADED),
            and_invalid(worst),
        );
        match effect.filter(|_| worst.state() > CertificateState::Valid) {
            Some(effect) if effect.is_none(threshold) => format!(
                "{share}; launches in which that happened were as fast as the others, within {}",
                percent(threshold)
            ),
            Some(effect) => format!(
                "{share}; launches in which that happened were {} {} than the others",
                percent(effect.slower_by.abs()),
                if effect.slower_by > 0.0 {
                    "slower"
                } else {
                    "faster"
                },
            ),
            None => share,
        }
    })?;
    // Stolen time that made no launch slower is no reason for doubt.
    if effect.is_some_and(|effect| effect.is_none(threshold)) {
        judged.state = CertificateState::Valid;
    }
    Some(judged)
}

/// Processor time that neither the subject nor Tacho took while requests were sent, as a share of
/// the whole machine: also where the subject may use a part of it only, because caches, memory and
/// the generator are shared.
pub fn other_processes(run: &RunData) -> Option<Evidence> {
    let readings: Vec<Reading> = completed(run)
        .filter_map(|launch| {
            let share = others_share(&launch.record, run.header.machine.cpus)?;
            Some(Reading {
                invalid_above: invalid_above(run, OTHERS_INVALID),
                ..Reading::of_launch(launch, share, OTHERS_DEGRADED)
            })
        })
        .collect();
    judge("other-processes", &readings, |worst| {
        let seen = format!(
            "other processes took up to {} of the machine's processor time while it was loaded ({}); bound {}{}",
            percent(worst.value),
            worst.place,
            percent(OTHERS_DEGRADED),
            and_invalid(worst),
        );
        match worst.state() {
            CertificateState::Valid => seen,
            _ if run.plan.duet.is_some() => format!(
                "{seen}: it affected both sides of a duet, so ratios hold; absolute figures are from a disturbed machine"
            ),
            _ => format!(
                "{seen}: find them with `top` and end them, or run after they end; a service that the subject needs, such as a database, counts too unless the experiment starts it (`companions`) or `--companions` names it"
            ),
        }
    })
}

/// Whether what the subject needs beside it left processors for the rest: it is part of what is
/// measured, as long as nobody had to wait for it to get out of the way.
pub fn companions(run: &RunData) -> Option<Evidence> {
    let cpus = f64::from(run.header.machine.cpus.max(1));
    let share_of = |used: &[ProcessorUse], of: fn(&ProcessorUse) -> f64| {
        let span_s: f64 = used.iter().map(|u| u.span_s).sum();
        used.iter().map(of).sum::<f64>() / (span_s * cpus)
    };
    let loaded: Vec<(&LaunchData, Vec<ProcessorUse>)> = completed(run)
        .map(|launch| (launch, used_while_loaded(&launch.record)))
        .filter(|(launch, used)| {
            used.iter().map(|u| u.span_s).sum::<f64>() >= OTHERS_SHORTEST_S
                && (used.iter().any(|u| u.companions_cpu_s > 0.0)
                    || !launch.record.companions.is_empty())
        })
        .collect();
    let most = loaded
        .iter()
        .map(|(_, used)| share_of(used, |u| u.companions_cpu_s))
        .fold(0.0, f64::max);
    let readings: Vec<Reading> = loaded
        .iter()
        .map(|(launch, used)| {
            let share = share_of(used, |u| u.busy_cpu_s);
            Reading::of_launch(launch, share, FULL_WITH_COMPANIONS)
        })
        .collect();
    let names = loaded.iter().flat_map(|(l, _)| &l.record.companions);
    let names: BTreeSet<&str> = names.map(|companion| companion.name.as_str()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let which = match names.is_empty() {
        true => String::new(),
        false => format!(" ({})", names.join(", ")),
    };
    judge("companions", &readings, |worst| {
        let seen = format!(
            "the subject's companions{which} took up to {} of the machine's processor time while it was loaded, and up to {} were used in all ({}); bound {}",
            percent(most),
            percent(worst.value),
            worst.place,
            percent(FULL_WITH_COMPANIONS),
        );
        match worst.state() {
            CertificateState::Valid => seen,
            _ => format!(
                "{seen}: some processes had to wait for others; warm the companions before the run, give the subject less, or put them on another machine"
            ),
        }
    })
}

fn used_while_loaded(record: &LaunchRecord) -> Vec<ProcessorUse> {
    let loaded = record.phases.iter().filter(|p| p.requests > 0);
    loaded.filter_map(|p| p.processors).collect()
}

fn limits_of<'a>(run: &'a RunData, launch: &LaunchData) -> Option<&'a Limits> {
    let cell = run.plan.cells.iter().find(|c| c.id == launch.record.cell)?;
    let asked = cell.limits.cpu.is_some() || cell.limits.memory_bytes.is_some();
    asked.then_some(&cell.limits)
}

/// Being throttled is what a CPU limit is for: the share is stated, and it is the same question for
/// every variant, so that it makes no comparison doubtful. What would is a limit that was set and
/// never enforced. The kernel counts a period whenever a limited group wants to run, and nothing
/// starts without running, so none counted means none enforced.
pub fn throttling(run: &RunData) -> Option<Evidence> {
    let mut worst: Option<(f64, u32)> = None;
    let mut not_enforced = Vec::new();
    for launch in completed(run) {
        let number = launch.record.number;
        let Some(seen) = launch.record.limits.as_ref() else {
            continue;
        };
        if limits_of(run, launch).is_none_or(|l| l.cpu.is_none()) {
            continue;
        }
        if seen.periods == 0 {
            not_enforced.push(number);
        }
        let share = seen.throttled_periods as f64 / seen.periods.max(1) as f64;
        if worst.is_none_or(|(most, _)| share > most) {
            worst = Some((share, number));
        }
    }
    let (share, launch) = worst?;
    if !not_enforced.is_empty() {
        let statement = format!(
            "the kernel counted no enforcement period of the CPU limit in {} launches; bound 0: was the limit enforced?",
            not_enforced.len()
        );
        return evidence(
            "throttling",
            CertificateState::Degraded,
            statement,
            not_enforced,
        );
    }
    let statement = format!(
        "the CPU limit stopped the subject in up to {} of its periods (launch {launch}); this is what the limit asks for, so there is no bound",
        percent(share),
    );
    evidence(
        "throttling",
        CertificateState::Valid,
        statement,
        vec![launch],
    )
}

/// Every process of a launch was inside its control group, and the kernel read back what was asked
/// for. Where nobody could look, [`super::unseen`] says so.
pub fn limits(run: &RunData) -> Option<Evidence> {
    let mut looked_at = Vec::new();
    let mut broken = Vec::new();
    for launch in completed(run).filter(|launch| !is_unseen(launch)) {
        let Some(asked) = limits_of(run, launch) else {
            continue;
        };
        looked_at.push(launch.record.number);
        let further = launch.record.pods.iter().map(|pod| &pod.limits);
        let mut each = further.chain([&launch.record.limits]);
        if !each.all(|seen| seen.as_ref().is_some_and(|seen| held(asked, seen))) {
            broken.push(launch.record.number);
        }
    }
    if looked_at.is_empty() {
        return None;
    }
    let (count, of) = (broken.len(), looked_at.len());
    let statement = format!(
        "{count} of {of} limited launches ran outside their control group or with other limits than asked for; bound 0",
    );
    if broken.is_empty() {
        return evidence("limits", CertificateState::Valid, statement, looked_at);
    }
    evidence("limits", CertificateState::Invalid, statement, broken)
}

fn held(asked: &Limits, seen: &LimitsSeen) -> bool {
    let memory = |bytes: Option<u64>| bytes.map(|b| b as f64);
    seen.inside
        && agree(asked.cpu, seen.cpu)
        && agree(memory(asked.memory_bytes), memory(seen.memory_bytes))
}

fn agree(asked: Option<f64>, seen: Option<f64>) -> bool {
    match (asked, seen) {
        (Some(asked), Some(seen)) => (seen - asked).abs() <= READ_BACK * asked,
        (asked, _) => asked.is_none(),
    }
}

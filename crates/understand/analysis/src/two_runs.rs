//! Two runs that were carried out apart, laid beside each other: a cell of each, with the launches
//! of each, as if they were two cells of one run.
//!
//! | what is unlike | then |
//! |---|---|
//! | phases, requests, limits, processes of a launch; one of them is a duet | they measured different things, and are refused ([`Unlike`]) |
//! | the machine: processors, their model, memory | figures are shown, and no verdict is made of them ([`Beside::elsewhere`]) |
//! | kernel, system, version of Tacho, how the generator kept time, how the service was warmed | figures are compared, and that is said ([`Beside::notes`]) |
//!
//! Their launches were not made in turns: what changed on the machine between the runs is in every
//! difference, and no statistics can take it out.

use crate::{analyse, certificate};
use serde_json::Value;
use std::collections::BTreeSet;
use tacho_run_folder::{
    Cell, Certificate, LaunchOutcome, Limits, Machine, PhasePlan, PlannedRequest, PreparedVariant,
    Results, RunData, TimeKeeping,
};

/// Memory that differs by less is the same: kernels keep more or less of it for themselves.
const MEMORY_DIFFERS: f64 = 0.05;

/// One of the two.
#[derive(Debug, Clone)]
pub struct Side {
    /// The whole run.
    pub run: RunData,
    /// The variant that is compared.
    pub variant: String,
    /// What it is called beside the other.
    pub name: String,
}

/// Why two runs cannot be compared. Each text says what is unlike.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unlike {
    /// Different phases.
    #[error(
        "the runs cannot be compared: their phases differ ({baseline}; {candidate}). Make both with the same experiment file, or the same flags"
    )]
    Phases {
        /// Those of the older run.
        baseline: String,
        /// Those of the newer run.
        candidate: String,
    },
    /// Different requests.
    #[error(
        "the runs cannot be compared: they sent different requests ({baseline}; {candidate}). Make both with the same `requests` or --request"
    )]
    Requests {
        /// Those of the older run.
        baseline: String,
        /// Those of the newer run.
        candidate: String,
    },
    /// No limits that both have.
    #[error(
        "the runs cannot be compared: their limits differ ({baseline}; {candidate}). Make both with the same --cpu and --memory"
    )]
    Limits {
        /// Those of the older run.
        baseline: String,
        /// Those of the newer run.
        candidate: String,
    },
    /// Different numbers of processes.
    #[error(
        "the runs cannot be compared: a launch has {baseline} processes in one and {candidate} in the other. Make both with the same `pods`"
    )]
    Pods {
        /// Of the older run.
        baseline: u32,
        /// Of the newer run.
        candidate: u32,
    },
    /// Launches that had another beside them.
    #[error(
        "the {0} run was made with --duet: each of its launches can be compared only with the one beside it. Repeat the run without --duet"
    )]
    Duet(&'static str),
}

/// Two runs beside each other.
#[derive(Debug, Clone)]
pub struct Beside {
    /// Both as one: the cell of the older run, then that of the newer one.
    pub both: RunData,
    /// Each alone, with the numbers that its launches have in `both`.
    alone: [RunData; 2],
    /// What the cells are called in their own runs.
    pub cells: [String; 2],
    /// How their machines are unlike; empty where they are alike.
    pub elsewhere: Vec<String>,
    /// What else is unlike.
    pub notes: Vec<String>,
}

impl Beside {
    /// Lays them beside each other.
    ///
    /// # Errors
    /// When they did not measure the same.
    pub fn of(baseline: Side, candidate: Side) -> Result<Self, Unlike> {
        for (role, side) in [("baseline", &baseline), ("candidate", &candidate)] {
            if side.run.plan.duet.is_some() {
                return Err(Unlike::Duet(role));
            }
        }
        let limits = alike(&baseline, &candidate)?;
        let mut notes = notes(&baseline, &candidate);
        if let Some(left_out) = limits.left_out {
            notes.push(left_out);
        }
        let elsewhere = elsewhere(&baseline.run.header.machine, &candidate.run.header.machine);
        let cells = [&baseline, &candidate].map(|side| cell_of(side, &limits.chosen));
        let older = alone(baseline, &limits.chosen, 0);
        let last = older.launches.iter().map(|launch| launch.record.number);
        let last = last.chain(older.plan.launches.iter().map(|launch| launch.number));
        let last = last.max().unwrap_or(0);
        let newer = alone(candidate, &limits.chosen, last);
        Ok(Self {
            both: both(&older, &newer),
            alone: [older, newer],
            cells,
            elsewhere,
            notes,
        })
    }

    /// The whole analysis. The certificate is that of both runs, each judged by itself.
    #[must_use]
    pub fn analyse(&self) -> Results {
        let mut results = analyse(&self.both);
        let evidence = self.alone.iter().flat_map(|run| {
            let of = run.plan.baseline.clone();
            let evidence = certificate::certificate(run).evidence.into_iter();
            evidence.map(move |mut evidence| {
                evidence.statement = format!("{of}: {}", evidence.statement);
                evidence
            })
        });
        let evidence: Vec<_> = evidence.collect();
        let worst = evidence.iter().map(|one| one.state).max();
        results.certificate = Certificate {
            state: worst.unwrap_or(results.certificate.state),
            evidence,
        };
        results
    }
}

/// Under which limits they are compared.
struct Chosen {
    chosen: Limits,
    left_out: Option<String>,
}

fn alike(baseline: &Side, candidate: &Side) -> Result<Chosen, Unlike> {
    let (older, newer) = (&baseline.run.plan, &candidate.run.plan);
    if older.phases != newer.phases {
        return Err(Unlike::Phases {
            baseline: phases(&older.phases, &newer.phases),
            candidate: phases(&newer.phases, &older.phases),
        });
    }
    if older.pods != newer.pods {
        return Err(Unlike::Pods {
            baseline: older.pods,
            candidate: newer.pods,
        });
    }
    if let (Some(was), Some(is)) = (&older.requests, &newer.requests)
        && !are_alike(was, is)
    {
        return Err(Unlike::Requests {
            baseline: requests(was),
            candidate: requests(is),
        });
    }
    let of = |side: &Side| -> Vec<Limits> {
        let cells = side.run.plan.cells.iter();
        let cells = cells.filter(|cell| cell.variant == side.variant);
        cells.map(|cell| cell.limits.clone()).collect()
    };
    let is_same = |a: &Limits, b: &Limits| a.cpu == b.cpu && a.memory_bytes == b.memory_bytes;
    let (was, is) = (of(baseline), of(candidate));
    let common: Vec<&Limits> = was
        .iter()
        .filter(|limits| is.iter().any(|other| is_same(limits, other)))
        .collect();
    let named = |limits: &[Limits]| {
        let names: Vec<&str> = limits.iter().map(|limits| limits.name.as_str()).collect();
        names.join(", ")
    };
    let Some(first) = common.first() else {
        return Err(Unlike::Limits {
            baseline: named(&was),
            candidate: named(&is),
        });
    };
    let left_out = (was.len() > 1 || is.len() > 1).then(|| {
        format!(
            "The runs have several sets of limits; compared are the launches under `{}`.",
            first.name
        )
    });
    Ok(Chosen {
        chosen: (*first).clone(),
        left_out,
    })
}

/// Whether two runs sent the same requests. Their check sums decide. Whatever else is recorded of a
/// request follows from what it sends, and may be absent in an older run.
fn are_alike(older: &[PlannedRequest], newer: &[PlannedRequest]) -> bool {
    let sent = |all: &[PlannedRequest]| -> Vec<(String, f64, String)> {
        all.iter()
            .map(|one| (one.name.clone(), one.weight, one.sha256.clone()))
            .collect()
    };
    sent(older) == sent(newer)
}

fn requests(all: &[PlannedRequest]) -> String {
    let one = |request: &PlannedRequest| {
        // The sum tells two requests of the same name apart.
        let sum: String = request.sha256.chars().take(8).collect();
        format!("`{}` ({sum}), weight {}", request.name, request.weight)
    };
    all.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The phases of one run that the other does not have.
fn phases(of: &[PhasePlan], other: &[PhasePlan]) -> String {
    let own = of.iter().filter(|phase| !other.contains(phase));
    let own: Vec<String> = own
        .map(|phase| words(serde_json::to_value(phase)))
        .collect();
    match own.is_empty() {
        true => "the same in another order or number".to_owned(),
        false => own.join("; "),
    }
}

/// The keys of a document and their values.
fn words(document: Result<Value, serde_json::Error>) -> String {
    let Ok(Value::Object(keys)) = document else {
        return String::new();
    };
    let word = |(key, value): (&String, &Value)| match value {
        Value::String(text) => format!("{key} {text}"),
        value => format!("{key} {value}"),
    };
    keys.iter().map(word).collect::<Vec<_>>().join(", ")
}

fn elsewhere(was: &Machine, is: &Machine) -> Vec<String> {
    let mut unlike = Vec::new();
    if was.cpus != is.cpus {
        unlike.push(format!("{} processors and {}", was.cpus, is.cpus));
    }
    if was.cpu_model != is.cpu_model {
        unlike.push(format!("`{}` and `{}`", was.cpu_model, is.cpu_model));
    }
    let (less, more) = (
        was.memory_bytes.min(is.memory_bytes) as f64,
        was.memory_bytes.max(is.memory_bytes) as f64,
    );
    // 0 is where the kernel does not say.
    if less > 0.0 && more > less * (1.0 + MEMORY_DIFFERS) {
        let shown = |bytes: u64| tacho_figures::bytes(bytes as f64);
        let (was, is) = (shown(was.memory_bytes), shown(is.memory_bytes));
        unlike.push(format!("{was} of memory and {is}"));
    }
    unlike
}

fn notes(baseline: &Side, candidate: &Side) -> Vec<String> {
    let (was, is) = (&baseline.run.header, &candidate.run.header);
    let mut notes = Vec::new();
    let mut unlike = |what: &str, was: &str, is: &str| {
        if was != is {
            notes.push(format!("The runs have unlike {what}: {was} and {is}."));
        }
    };
    unlike("kernels", &was.machine.kernel, &is.machine.kernel);
    unlike("systems", &was.machine.os, &is.machine.os);
    unlike("control groups", &was.machine.cgroup, &is.machine.cgroup);
    unlike(
        "versions of Tacho, which is the generator",
        &was.tacho,
        &is.tacho,
    );
    let (kept, keeps) = (time_keeping(baseline), time_keeping(candidate));
    unlike("ways of the generator to keep time", &kept, &keeps);
    let runtime = |side: &Side| {
        let runtime = variant(side).and_then(|variant| variant.runtime.clone());
        runtime.unwrap_or_else(|| "none".to_owned())
    };
    unlike("runtimes", &runtime(baseline), &runtime(candidate));
    let warmed = |side: &Side| variant(side).and_then(|variant| variant.warm_up.clone());
    if warmed(baseline) != warmed(candidate) {
        notes.push("The service was warmed in another way in each of the runs.".to_owned());
    }
    let (was, is) = (&baseline.run.plan, &candidate.run.plan);
    if was.requests.is_none() || is.requests.is_none() {
        notes.push("A run of an older Tacho did not record which requests it sent: see that they are the same.".to_owned());
    }
    if was.threshold != is.threshold {
        notes.push("The runs have unlike thresholds; the larger one holds.".to_owned());
    }
    notes
}

fn variant(side: &Side) -> Option<&PreparedVariant> {
    let mut variants = side.run.variants.iter();
    variants.find(|variant| variant.name == side.variant)
}

/// How the generator kept time in completed launches, as a text that can be compared.
fn time_keeping(side: &Side) -> String {
    let launches = side.run.launches.iter();
    let completed = launches.filter(|l| l.record.outcome == LaunchOutcome::Completed);
    let ways: BTreeSet<String> = completed
        .flat_map(|launch| &launch.record.phases)
        .filter_map(|phase| phase.time_keeping)
        .map(|kept| {
            // How much it spun is a figure.
            let kept = TimeKeeping {
                spun_s: 0.0,
                ..kept
            };
            words(serde_json::to_value(kept)).replace(", spun_s 0.0", "")
        })
        .collect();
    match ways.is_empty() {
        true => "not recorded".to_owned(),
        false => ways.into_iter().collect::<Vec<_>>().join("; "),
    }
}

/// The id of the cell of a run that is compared.
fn cell_of(side: &Side, limits: &Limits) -> String {
    let is_it = |cell: &&Cell| {
        let own = &cell.limits;
        cell.variant == side.variant
            && own.cpu == limits.cpu
            && own.memory_bytes == limits.memory_bytes
    };
    let cell = side.run.plan.cells.iter().find(is_it);
    cell.map(|cell| cell.id.clone()).unwrap_or_default()
}

/// The launches of one cell alone, under the name that it has beside the other.
fn alone(side: Side, limits: &Limits, numbered_after: u32) -> RunData {
    let id = cell_of(&side, limits);
    let Side {
        mut run,
        variant,
        name,
    } = side;
    let cell = Cell {
        id: name.clone(),
        variant: name.clone(),
        limits: limits.clone(),
    };
    let plan = &mut run.plan;
    plan.cells = vec![cell];
    plan.baseline.clone_from(&name);
    plan.aa = None;
    plan.warm_up = None;
    plan.checks.clear();
    plan.diagnosis.clear();
    plan.launches.retain(|launch| launch.cell == id);
    for launch in &mut plan.launches {
        launch.cell.clone_from(&name);
        launch.number += numbered_after;
        launch.again = launch.again.map(|number| number + numbered_after);
    }
    run.launches.retain(|launch| launch.record.cell == id);
    for launch in &mut run.launches {
        launch.record.cell.clone_from(&name);
        launch.record.number += numbered_after;
    }
    run.times = run
        .times
        .remove(&id)
        .map(|times| (name.clone(), times))
        .into_iter()
        .collect();
    run.variants.retain(|known| known.name == variant);
    for variant in &mut run.variants {
        variant.name.clone_from(&name);
    }
    run.diagnoses.clear();
    run
}

fn both(older: &RunData, newer: &RunData) -> RunData {
    let mut both = older.clone();
    both.header.name.clone_from(&newer.header.name);
    both.header.id = format!("{} and {}", older.header.id, newer.header.id);
    both.header.subject = newer.header.subject.clone();
    both.header.interrupted |= newer.header.interrupted;
    let plan = &mut both.plan;
    plan.apart = true;
    plan.threshold = plan.threshold.max(newer.plan.threshold);
    // A run with many looks may have ended early by chance, so the higher number of looks counts
    // for both.
    if newer.plan.looks.len() > plan.looks.len() {
        plan.looks.clone_from(&newer.plan.looks);
    }
    plan.launches_per_cell = plan.launches_per_cell.max(newer.plan.launches_per_cell);
    plan.cells.extend_from_slice(&newer.plan.cells);
    plan.launches.extend_from_slice(&newer.plan.launches);
    plan.notes = Vec::new();
    both.variants.extend_from_slice(&newer.variants);
    both.launches.extend_from_slice(&newer.launches);
    both.damaged.extend_from_slice(&newer.damaged);
    both.times.extend(newer.times.clone());
    both.unreadable_lines += newer.unreadable_lines;
    both
}

#[cfg(test)]
#[path = "two_runs_tests.rs"]
mod tests;

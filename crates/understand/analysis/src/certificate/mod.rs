//! The certificate: whether the numbers of a run may be believed, and why.
//!
//! One small function a rule, in a table. Every rule that applies to the run gives one piece of
//! evidence, with the number and its bound, also when it holds; the state of the certificate is the
//! worst of them. Rules look at completed launches, except those about launches that did not
//! complete.
//!
//! | rule | degraded | invalid |
//! |---|---|---|
//! | `dispatch-delay` | more than a tenth of a quantile of the response time is the generator's own lateness (open phases); its value is left out | of every quantile of every launch of a cell |
//! | `busy-connections` | requests waited longer than that bound (p99) for a free connection | |
//! | `generator-cpu` | the generator used more than 0.8 of a processor in a phase | |
//! | `reconnects` | more than 2 % of the requests of a phase needed a new connection | |
//! | `observer-cpu` | the observers used more than 5 % of a processor | |
//! | `steal` | the hypervisor took more than 1 % of the machine in a launch, and it is not shown that such launches were as fast as the others | more than 5 % |
//! | `other-processes` | they took more than 5 % of the machine while a launch was loaded (for a second or longer) | more than 50 % |
//! | `companions` | what the subject needs beside it ran while more than 90 % of the machine were used (likewise) | |
//! | `throttling` | a CPU limit whose enforcement the kernel did not count | |
//! | `limits` | | a launch outside its control group, or other limits than asked for |
//! | `unseen` | a launch as a pod that nobody looked at from its node (`--unprivileged`) | |
//! | `port` | of several ports one launch was measured on one, and another launch of its cell on another | |
//! | `failed-requests` | more than 0.1 % of a phase's requests, over the launches of a cell | more than 5 %; of fewer than 100, more than half |
//! | `source` | rows of a feed were passed over or came too late, a feed ended early, or messages of a WebSocket came while nobody waited for one | |
//! | `failed-launches` | any; a cell that is lost has no numbers to doubt | no cell has a valid launch |
//! | `missing-proofs` | any; likewise | no cell has a valid launch |
//! | `companions-lost` | any: a companion that the experiment starts ended in it | no cell has a valid launch |
//! | `damaged-launches` | any | |
//! | `replication` | fewer than 3 valid launches in a cell | no valid launch in any |
//! | `interrupted` | fewer launches than planned | |
//! | `duet` | it is not shown that neither of two launches at the same time starved the other (`--duet`) | |
//! | `a-a` | a second copy of the baseline was told apart from it in anything (`--aa`) | |
//!
//! Of a duet `steal` and `other-processes` are never worse than degraded: both sides meet what
//! others take.
//!
//! | rule that is never worse than valid | said |
//! |---|---|
//! | `run-again` | which launches were disturbed, and run again as which: what is above is about those that count |

pub mod bounds;
mod duet;
mod generator;
mod launches;
mod machine;
mod of_itself;
mod port;
mod spoiled;
mod stolen;
mod unseen;

pub use of_itself::told_of_itself;
pub use spoiled::{Beside, Spoil, spoiled};
use tacho_run_folder::{
    Certificate, CertificateState, Evidence, LaunchData, LaunchOutcome, RunData,
};

/// The id of a rule, and the rule: `None` when the run has nothing that it applies to.
type Rule = (&'static str, fn(&RunData) -> Option<Evidence>);

const RULES: &[Rule] = &[
    ("dispatch-delay", generator::dispatch_delay),
    ("busy-connections", generator::busy_connections),
    ("generator-cpu", generator::generator_cpu),
    ("reconnects", generator::reconnects),
    ("observer-cpu", generator::observer_cpu),
    ("steal", machine::steal),
    ("other-processes", machine::other_processes),
    ("companions", machine::companions),
    ("throttling", machine::throttling),
    ("limits", machine::limits),
    ("unseen", unseen::unseen),
    ("port", port::port),
    ("duet", duet::duet),
    ("failed-requests", launches::failed_requests),
    ("source", launches::source),
    ("failed-launches", launches::failed_launches),
    ("missing-proofs", launches::missing_proofs),
    ("companions-lost", launches::companions_lost),
    ("damaged-launches", launches::damaged_launches),
    ("replication", launches::replication),
    ("interrupted", launches::interrupted),
    ("run-again", spoiled::run_again),
];

/// The ids of all rules, also of the one that is applied when the analysis is there. Each has its
/// remedy in `docs/certificate.md`.
pub fn rule_ids() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|(id, _)| *id).chain([of_itself::ID])
}

/// Applies every rule.
#[must_use]
pub fn certificate(run: &RunData) -> Certificate {
    let apply = |(id, rule): &Rule| {
        let evidence = rule(run)?;
        debug_assert_eq!(evidence.rule, *id);
        Some(evidence)
    };
    let evidence: Vec<Evidence> = RULES.iter().filter_map(apply).collect();
    let worst = evidence.iter().map(|e| e.state).max();
    Certificate {
        state: worst.unwrap_or(CertificateState::Valid),
        evidence,
    }
}

fn completed(run: &RunData) -> impl Iterator<Item = &LaunchData> {
    run.launches
        .iter()
        .filter(|l| l.record.outcome == LaunchOutcome::Completed)
}

/// A number that a rule read, with the bounds that hold for it.
#[derive(Debug, Clone)]
struct Reading {
    /// Launches that it was read from.
    launches: Vec<u32>,
    /// For people: `launch 3, open`.
    place: String,
    value: f64,
    degraded_above: f64,
    invalid_above: f64,
}

impl Reading {
    /// Of one launch, never so far off that the run is invalid.
    fn of_launch(launch: &LaunchData, value: f64, degraded_above: f64) -> Self {
        let number = launch.record.number;
        Self {
            launches: vec![number],
            place: format!("launch {number}"),
            value,
            degraded_above,
            invalid_above: f64::INFINITY,
        }
    }

    fn state(&self) -> CertificateState {
        if self.value > self.invalid_above {
            CertificateState::Invalid
        } else if self.value > self.degraded_above {
            CertificateState::Degraded
        } else {
            CertificateState::Valid
        }
    }

    /// How far it exhausts its own bound, so that readings with unlike bounds can be ordered.
    fn severity(&self) -> f64 {
        self.value / self.degraded_above
    }
}

/// The evidence of the worst reading. It rests on the launches that are beyond a bound, or, when
/// none is, on the one that came nearest.
fn judge(
    rule: &str,
    readings: &[Reading],
    statement: impl Fn(&Reading) -> String,
) -> Option<Evidence> {
    let worst = readings.iter().max_by(|a, b| {
        let by_state = a.state().cmp(&b.state());
        by_state.then(a.severity().total_cmp(&b.severity()))
    })?;
    let beyond = readings
        .iter()
        .filter(|r| r.state() > CertificateState::Valid);
    let mut launches: Vec<u32> = beyond.flat_map(|r| r.launches.clone()).collect();
    if launches.is_empty() {
        launches.clone_from(&worst.launches);
    }
    launches.sort_unstable();
    launches.dedup();
    Some(Evidence {
        rule: rule.to_owned(),
        state: worst.state(),
        statement: statement(worst),
        launches,
    })
}

fn evidence(
    rule: &str,
    state: CertificateState,
    statement: String,
    launches: Vec<u32>,
) -> Option<Evidence> {
    Some(Evidence {
        rule: rule.to_owned(),
        state,
        statement,
        launches,
    })
}

#[cfg(test)]
mod tests;

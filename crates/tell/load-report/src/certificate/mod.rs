//! The certificate of a load run: how far its numbers can be trusted, and why. Pure functions.
//!
//! Each rule is one small function in a table. Each rule that applies to a phase gives one piece of
//! evidence, even if it holds. For a run, each rule shows the evidence of its worst phase. The
//! state of the run is the worst of all states. Bounds that also apply to a run of launches are
//! shared with it ([`tacho_analysis::certificate::bounds`]).
//!
//! | rule | degraded | invalid |
//! |---|---|---|
//! | `requests` | | nothing was sent |
//! | `workers` | one began more than 20 ms after the instant that was named to all | one was lost |
//! | `generator-lag` | more than a tenth of a quantile is the lateness of the generator, or of one worker | of every quantile |
//! | `batch` | requests were sent together because that was asked for | |
//! | `generator-cpu` | it used more than 0.8 of its one processor | |
//! | `connections` | requests waited (p99) longer than the bound of the lag for a free connection | |
//! | `littles-law` | a closed loop that had fewer than 0.9 of its connections in use | more requests on the wire than connections |
//! | `achieved-rate` | below 0.98 of the intended rate, and falling behind | |
//! | `failed-requests` | more than 0.1 % | more than 5 %; of fewer than 100, more than half |
//! | `reconnects` | more than 2 % of the requests needed a new connection | |
//! | `steal` | the hypervisor took more than 1 % of the machine | more than 5 % |
//! | `records` | the records of the seconds lack requests | |
//! | `interrupted` | the phase was cut short | no answer came for a minute |
//! | `source` | rows of a data feed were passed over, or came too late | |

mod connections;
mod generator;
mod lag;
mod outcome;
#[cfg(test)]
pub(crate) mod tests;
mod workers;

use crate::model::{Certificate, Evidence, WorkerLag};
use tacho_run_folder::{CertificateState, PhaseRecord};

/// What is known of a phase.
#[derive(Debug, Clone)]
pub struct Facts<'a> {
    /// As it was recorded.
    pub record: &'a PhaseRecord,
    /// Requests that can be under way at the same time.
    pub connections: u32,
    /// A closed loop without think time and without a ramp: each connection always has a request
    /// under way.
    pub always_busy: bool,
    /// Processors of the machine.
    pub cpus: u32,
    /// What the seconds of the log come to; `None` when there is no log.
    pub recorded: Option<Recorded>,
    /// The run has more than one phase, so that evidence has to name this one.
    pub is_one_of_many: bool,
}

/// Sums over the seconds of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Recorded {
    /// Requests that the seconds hold.
    pub requests: u64,
    /// All response times, of failed requests too, in seconds.
    pub response_s: f64,
    /// All service times, of failed requests too, in seconds.
    pub service_s: f64,
}

impl Facts<'_> {
    /// Requests are sent when a schedule says so.
    fn has_schedule(&self) -> bool {
        self.record.kind.has_schedule()
    }

    fn place(&self) -> String {
        if self.is_one_of_many {
            format!(" in phase `{}`", self.record.label)
        } else {
            String::new()
        }
    }

    fn failed(&self) -> u64 {
        self.record.errors.values().map(|e| e.count).sum()
    }
}

/// Name of the rule, unit of its value, and its function. The function returns `None` if the rule
/// does not apply to the phase.
type Rule = (&'static str, &'static str, fn(&Facts<'_>) -> Option<Seen>);

/// The rule of what the requests were read from, which no phase tells.
const SOURCE: &str = "source";

/// The only rule whose bound is a lower bound.
const ACHIEVED_RATE: &str = "achieved-rate";

const RULES: &[Rule] = &[
    ("requests", "1", outcome::requests),
    ("workers", "ms", workers::together),
    ("generator-lag", "share", lag::lag),
    ("batch", "ms", generator::batch),
    ("generator-cpu", "share", generator::cpu),
    ("connections", "ms", connections::waits),
    ("littles-law", "1", connections::littles_law),
    (ACHIEVED_RATE, "share", outcome::achieved_rate),
    ("failed-requests", "share", outcome::failed_requests),
    ("reconnects", "share", connections::reconnects),
    ("steal", "share", outcome::steal),
    ("records", "1", outcome::records),
    ("interrupted", "1", outcome::interrupted),
];

/// Result of a rule for one phase: the observed value and its bound.
struct Seen {
    value: f64,
    bound: f64,
    state: CertificateState,
    text: String,
    /// Filled by the rule that checks each of several workers.
    workers: Vec<WorkerLag>,
}

fn seen(value: f64, bound: f64, state: CertificateState, text: String) -> Seen {
    Seen {
        value,
        bound,
        state,
        text,
        workers: Vec::new(),
    }
}

impl Seen {
    /// Appends the advice, unless the state is valid.
    fn advising(mut self, advice: &str) -> Self {
        if self.state != CertificateState::Valid {
            self.text.push_str("; ");
            self.text.push_str(advice);
        }
        self
    }
}

fn apply((what, unit, look): &Rule, facts: &Facts<'_>) -> Option<Evidence> {
    let seen = look(facts)?;
    Some(Evidence {
        what: (*what).to_owned(),
        value: Some(seen.value),
        bound: Some(seen.bound),
        unit: (*unit).to_owned(),
        state: seen.state,
        text: seen.text,
        workers: seen.workers,
    })
}

/// The certificate of one phase.
#[must_use]
pub fn of_phase(facts: &Facts<'_>) -> Certificate {
    let evidence = RULES.iter().filter_map(|rule| apply(rule, facts));
    conclude(evidence.collect())
}

/// The certificate of a run: each rule with its worst phase, and any problems with the source of
/// the requests.
#[must_use]
pub fn of_run(phases: &[Facts<'_>], source_trouble: &[String]) -> Certificate {
    let worst_of = |rule: &Rule| {
        let evidence = phases
            .iter()
            .filter_map(|facts| Some((facts, apply(rule, facts)?)));
        let (facts, worst) = evidence.max_by(|(_, a), (_, b)| {
            let by_state = a.state.cmp(&b.state);
            by_state.then(severity(a).total_cmp(&severity(b)))
        })?;
        if worst.value == Some(0.0) && worst.state == CertificateState::Valid {
            // If the value is 0 in every phase, the text names no phase.
            let alone = Facts {
                is_one_of_many: false,
                ..facts.clone()
            };
            return apply(rule, &alone);
        }
        Some(worst)
    };
    let mut evidence: Vec<Evidence> = RULES.iter().filter_map(worst_of).collect();
    if evidence.is_empty() {
        return conclude(vec![Evidence {
            what: "requests".to_owned(),
            value: Some(0.0),
            bound: None,
            unit: "1".to_owned(),
            state: CertificateState::Invalid,
            text: "no phase sent anything: there is nothing to judge".to_owned(),
            workers: Vec::new(),
        }]);
    }
    evidence.extend(
        source_trouble
            .iter()
            .map(|trouble| outcome::source(trouble)),
    );
    conclude(evidence)
}

fn conclude(evidence: Vec<Evidence>) -> Certificate {
    let worst = evidence.iter().map(|e| e.state).max();
    Certificate {
        state: worst.unwrap_or(CertificateState::Valid),
        evidence,
    }
}

/// How close the value is to its bound, or how far beyond it; larger is worse.
fn severity(evidence: &Evidence) -> f64 {
    match (evidence.value, evidence.bound) {
        (Some(value), Some(bound)) if evidence.what == ACHIEVED_RATE => bound - value,
        (Some(value), Some(bound)) if bound > 0.0 => value / bound,
        _ => 0.0,
    }
}

fn degraded_if(condition: bool) -> CertificateState {
    if condition {
        CertificateState::Degraded
    } else {
        CertificateState::Valid
    }
}

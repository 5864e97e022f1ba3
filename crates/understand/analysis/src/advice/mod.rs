//! Advice: one sentence for the run and one for each set of limits.
//!
//! `choice` decides which variant to ship, `sentence` says it. The rule is on the decision page
//! `docs/decisions/0003-verdict-and-advice.md`: from the variants that meet every check, the
//! criteria are gone through in order (failed requests, capacity, p99, time to ready, first
//! request, memory), and at each one those leave that were told to be worse than the best of them
//! beyond the threshold ([`crate::told_apart`]). What remains at the end is as good as the
//! baseline, which then stays. For instances that do not live long the break-evens name the
//! exception.

mod choice;
mod clause;
mod enough;
mod exception;
mod memory;
mod sentence;

pub use choice::Criteria;
pub use enough::{Enough, enough};

use crate::distinct;
use crate::told_apart::ToldApart;
use tacho_run_folder::{
    Advice, AdviceFor, BreakEven, CellResult, Certificate, CertificateState, CheckResult, Plan,
};

/// What the advice rests on.
#[derive(Debug, Clone, Copy)]
pub struct Grounds<'a> {
    /// The plan of the run.
    pub plan: &'a Plan,
    /// Results of every cell of the run.
    pub cells: &'a [CellResult],
    /// What decides, in order.
    pub criteria: &'a Criteria,
    /// Which differences were told apart.
    pub told_apart: &'a ToldApart,
    /// Break-even points between the variants.
    pub break_evens: &'a [BreakEven],
    /// Checks, and whether they hold.
    pub checks: &'a [CheckResult],
    /// Certificate of the run.
    pub certificate: &'a Certificate,
}

/// Decides which variant to ship, and why.
#[must_use]
pub fn advise(grounds: &Grounds<'_>) -> Advice {
    let limits = distinct(grounds.cells.iter().map(|c| c.limits.as_str()));
    if let Some(reason) = invalid_because(grounds.certificate) {
        let sentence = format!("Do not use these numbers: {reason}.");
        return Advice {
            by_limits: limits
                .iter()
                .map(|limits| AdviceFor {
                    limits: (*limits).to_owned(),
                    sentence: sentence.clone(),
                    ..AdviceFor::default()
                })
                .collect(),
            sentence,
        };
    }
    let choices: Vec<choice::Choice<'_>> = limits
        .iter()
        .map(|limits| choice::choose(grounds, limits))
        .collect();
    let caution = caution(grounds.certificate);
    Advice {
        sentence: format!("{}{caution}.", sentence::for_run(grounds, &choices)),
        by_limits: choices
            .iter()
            .map(|choice| {
                let sentence = sentence::for_limits(grounds, choice);
                let pairs = memory::pairs(grounds.plan, choice);
                let pick = choice
                    .pick
                    .filter(|pick| sentence::is_decided(choice, pick));
                let last = choice.runner_up().filter(|_| pick.is_some());
                AdviceFor {
                    limits: choice.limits.to_owned(),
                    sentence: format!("{sentence}{caution}."),
                    pick: pick.map(|pick| pick.variant.clone()),
                    decided_by: last.and_then(|other| other.lost_by.metric().map(str::to_owned)),
                    runner_up: last.map(|other| other.cell.variant.clone()),
                    memory: pairs.iter().map(|pair| pair.sentence.clone()).collect(),
                    memory_pairs: pairs,
                }
            })
            .collect(),
    }
}

fn invalid_because(certificate: &Certificate) -> Option<&str> {
    let invalid = |state| state == CertificateState::Invalid;
    let first = certificate.evidence.iter().find(|e| invalid(e.state));
    invalid(certificate.state)
        .then(|| first.map_or("the certificate is invalid", |e| e.statement.as_str()))
}

/// The rules that call for caution, by name.
fn caution(certificate: &Certificate) -> String {
    let degraded = certificate
        .evidence
        .iter()
        .filter(|e| e.state == CertificateState::Degraded);
    let rules: Vec<&str> = degraded.map(|e| e.rule.as_str()).collect();
    if rules.is_empty() {
        return String::new();
    }
    format!(" (with caution: {})", rules.join(", "))
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

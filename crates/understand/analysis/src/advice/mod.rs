//! Advice: one sentence for the run and one for each set of limits.
//!
//! `choice` decides which variant to ship, `sentence` says it. The rule is on the decision page
//! `docs/decisions/0003-verdict-and-advice.md`: from the variants that meet every check, the
//! criteria are gone through in order (failed requests, capacity, p99, time to ready, first
//! request, memory), and at each one those leave that were told to be worse than another that is
//! left, beyond the threshold ([`crate::told_apart`]). With the baseline leave those that were not
//! told to be better than it. What remains at the end is as good as the baseline, which then stays.
//! For instances that do not live long the break-evens name the exception.
//!
//! A sweep over warm-ups asks another question, and its answer is the advice: see
//! [`crate::warm_up`].

mod choice;
mod clause;
mod enough;
mod exception;
mod memory;
mod over_limits;
mod sentence;

pub use choice::Criteria;
pub use enough::{Enough, enough};

use crate::distinct;
use crate::told_apart::ToldApart;
use tacho_run_folder::{
    Advice, AdviceFor, BreakEven, CellResult, Certificate, CertificateState, CheckResult, Plan,
    WarmUpResult, rule_in_words,
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
    /// Which warm-up is enough, of a run that asked: then that is what is advised.
    pub warm_up: Option<&'a WarmUpResult>,
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
    if let Some(advice) = by_warm_up(grounds, &choices, &caution) {
        return advice;
    }
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

/// A sweep over warm-ups asks how warm is enough, and not how to ship: its own sentence is what is
/// advised, also where launches are too few to tell it from chance, which is then said with it.
fn by_warm_up(
    grounds: &Grounds<'_>,
    choices: &[choice::Choice<'_>],
    caution: &str,
) -> Option<Advice> {
    let asked = grounds.warm_up?;
    let variant_of = |id: &str| {
        let mut cells = grounds.cells.iter();
        cells
            .find(|cell| cell.cell == id)
            .map(|cell| cell.variant.clone())
    };
    let by_limits: Vec<AdviceFor> = choices
        .iter()
        .map(|choice| {
            let limits = choice.limits.to_owned();
            let mut found = asked.choices.iter();
            let Some(found) = found.find(|found| found.limits == limits) else {
                return AdviceFor {
                    sentence: format!(
                        "No warm-up can be told to be enough: no launch that counts served its users (phase {}){caution}.",
                        asked.phase
                    ),
                    limits,
                    ..AdviceFor::default()
                };
            };
            let sentence = found.sentence.trim_end_matches('.');
            let too_few = sentence::too_few_to_tell(grounds.cells, choice.limits);
            let pairs = memory::pairs(grounds.plan, choice);
            let pick = found.cell.as_deref().filter(|_| too_few.is_none());
            AdviceFor {
                limits,
                decided_by: pick.map(|_| format!("{}.response_p99_ms", asked.phase)),
                pick: pick.and_then(variant_of),
                runner_up: None,
                sentence: format!("{sentence}{}{caution}.", too_few.unwrap_or_default()),
                memory: pairs.iter().map(|pair| pair.sentence.clone()).collect(),
                memory_pairs: pairs,
            }
        })
        .collect();
    let sentence = match by_limits.as_slice() {
        [] => return None,
        [only] => only.sentence.clone(),
        several => {
            let each = several.iter();
            let each = each.map(|one| format!("At {}: {}", one.limits, one.sentence));
            each.collect::<Vec<_>>().join(" ")
        }
    };
    Some(Advice {
        sentence,
        by_limits,
    })
}

fn invalid_because(certificate: &Certificate) -> Option<&str> {
    let invalid = |state| state == CertificateState::Invalid;
    let first = certificate.evidence.iter().find(|e| invalid(e.state));
    invalid(certificate.state)
        .then(|| first.map_or("the certificate is invalid", |e| e.statement.as_str()))
}

/// The rules that call for caution, as people call them.
fn caution(certificate: &Certificate) -> String {
    let degraded = certificate
        .evidence
        .iter()
        .filter(|e| e.state == CertificateState::Degraded);
    let rules: Vec<String> = degraded.map(|e| rule_in_words(&e.rule)).collect();
    if rules.is_empty() {
        return String::new();
    }
    format!(" (with caution: {})", rules.join(", "))
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

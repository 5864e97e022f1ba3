//! What a search tried, and what it found.

use crate::{ErrorCount, ErrorKind, Objective, Quantiles, Word};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A search for the highest rate at which an objective holds, as it went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchRecord {
    /// What had to hold.
    pub objective: Objective,
    /// The highest rate at which it is known to hold, in requests a second; null when it held at
    /// none.
    pub rate: Option<f64>,
    /// Whether the objective held again in every confirmation. Only then `rate` is a result.
    pub confirmed: bool,
    /// The lowest rate that did not hold, in requests a second; null when all held, or the search
    /// was cut short.
    pub lowest_failing: Option<f64>,
    /// Why it ended: `bracketed`, `highest-reached`, `generator-limited`, `never-held` or
    /// `trials-used-up`; null when it was cut short.
    #[schemars(with = "Option<String>")]
    pub end: Option<Word<SearchEnd>>,
    /// The result as a sentence.
    pub text: String,
    /// All trials that were carried out to their end, in their order.
    pub trials: Vec<TrialRecord>,
}

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchEnd {
    /// The limit lies between the found rate and the lowest that fails.
    Bracketed,
    /// The highest rate of the plan holds: the limit may be above.
    HighestReached,
    /// The generator could send no more: the limit of the subject may be above.
    GeneratorLimited,
    /// The objective fails even at the lowest rate of the plan.
    NeverHeld,
    /// The trials were used up before the outcomes agreed with one another.
    TrialsUsedUp,
}

/// One rate that was tried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrialRecord {
    /// Label of the trial's histograms in `phases.hlog`.
    pub label: String,
    /// Requests a second that were asked for.
    pub rate: f64,
    /// Whether the trial narrows the search, or confirms what it found.
    pub kind: TrialKind,
    /// Whether the objective held.
    pub outcome: TrialOutcome,
    /// When it began, in milliseconds since `exec`.
    pub started_ms: f64,
    /// Time from the first intended send time to the end of the last request, in seconds.
    pub duration_s: f64,
    /// Requests whose intended instant came.
    pub requests: u64,
    /// Answered with a status below 400, or the one that was asked for.
    pub succeeded: u64,
    /// Failed requests by kind, as those of a phase.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, ErrorCount>")]
    pub errors: BTreeMap<Word<ErrorKind>, ErrorCount>,
    /// Answers a second.
    pub throughput: f64,
    /// Response time: end of the request minus its intended send time.
    pub response_time_ms: Option<Quantiles>,
    /// dispatched - intended: how late the generator itself was.
    pub generator_lag_ms: Option<Quantiles>,
}

/// What a trial is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TrialKind {
    /// To narrow the search.
    Explore,
    /// To confirm that the objective holds at the rate that was found.
    Confirm,
}

/// What became of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TrialOutcome {
    /// The objective held.
    Held,
    /// The objective did not hold, and the generator kept up: the subject is the cause.
    Failed,
    /// The generator did not keep up, so that nothing is known of the subject.
    GeneratorLimited,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_written_down_trial_by_trial() {
        let trial = |number: u32, rate, kind, outcome, p99| TrialRecord {
            label: format!("search trial {number}"),
            rate,
            kind,
            outcome,
            started_ms: 1_000.0 * f64::from(number),
            duration_s: 1.0,
            requests: 100,
            succeeded: 100,
            errors: BTreeMap::new(),
            throughput: rate,
            response_time_ms: Some(Quantiles {
                count: 100,
                p99,
                ..Quantiles::default()
            }),
            generator_lag_ms: None,
        };
        let record = SearchRecord {
            objective: "p99<50ms".parse().unwrap(),
            rate: Some(100.0),
            confirmed: true,
            lowest_failing: Some(200.0),
            end: Some(SearchEnd::Bracketed.into()),
            text: "the objective holds at 100/s and fails at 200/s".to_owned(),
            trials: vec![
                trial(1, 100.0, TrialKind::Explore, TrialOutcome::Held, 10.0),
                trial(2, 200.0, TrialKind::Explore, TrialOutcome::Failed, 90.0),
                trial(
                    3,
                    400.0,
                    TrialKind::Explore,
                    TrialOutcome::GeneratorLimited,
                    99.0,
                ),
                trial(4, 100.0, TrialKind::Confirm, TrialOutcome::Held, 11.0),
            ],
        };
        insta::assert_snapshot!(serde_json::to_string_pretty(&record).unwrap());
    }
}

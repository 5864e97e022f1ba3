//! The report of one load run: what `--json` writes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tacho_figures as figures;
use tacho_run_folder::{
    CertificateState, LateShare, PhaseTag, Quantiles, SearchRecord, TimeKeeping, TrialOutcome,
    TrialRecord, WorkerPart,
};

/// Version of the report's format. Fields may be added without changing it, never renamed or
/// removed.
pub const FORMAT: u32 = 1;

/// One load run. Times of requests are in milliseconds; quantiles come from an HdrHistogram with 3
/// digits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LoadReport {
    /// Version of this format.
    pub tacho: u32,
    /// Where the requests went.
    pub url: String,
    /// Requests whose intended instant came, over all phases.
    pub requests: u64,
    /// From the first intended instant to the last end, summed over the phases that send.
    pub duration_s: f64,
    /// Answers a second, whatever their status.
    pub rate: f64,
    /// Requests a second that the schedule asked for; null in a closed loop, and when phases
    /// differ.
    pub intended_rate: Option<f64>,
    /// end - intended, of requests that succeeded: what a user feels.
    pub response_time_ms: Option<Quantiles>,
    /// end - sent, of requests that succeeded: what closed-loop tools print.
    pub service_time_ms: Option<Quantiles>,
    /// sent - intended, of all requests that were sent: waiting for a connection included.
    pub dispatch_delay_ms: Option<Quantiles>,
    /// dispatched - intended, of all requests: how late the generator itself was.
    pub generator_lag_ms: Option<Quantiles>,
    /// How much of each quantile of the response time is that lateness; above 0.1 it is not the
    /// subject's any more. Empty without a schedule.
    #[serde(default)]
    pub late_shares: Vec<LateShare>,
    /// What became of the requests, by class of status (`2xx`) or kind of error (`timeout`). Each
    /// request is in one of them.
    pub outcomes: BTreeMap<String, OutcomeCount>,
    /// How far the numbers may be believed.
    pub certificate: Certificate,
    /// The same figures for each phase.
    pub phases: Vec<PhaseReport>,
    /// The same figures for each kind of request that occurred.
    pub requests_by_kind: Vec<KindReport>,
    /// The slowest requests of all phases, slowest first.
    pub slowest: Vec<SlowRequest>,
    /// The objectives that were given, and whether they hold.
    pub checks: Vec<CheckReport>,
    /// What a reader has to know of how the requests were made and sent: a certificate that was not
    /// checked, what was not understood of a plan that was read.
    #[serde(default)]
    pub notes: Vec<String>,
    /// The search for the highest rate, when there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<Search>,
}

/// How many requests had the same outcome.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct OutcomeCount {
    /// Requests with this outcome.
    pub count: u64,
    /// The first such error, as text; null when the outcome is no error.
    pub example: Option<String>,
}

/// How far the numbers may be believed: the worst state of its evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Certificate {
    /// `valid`: nothing speaks against the numbers; `degraded`: usable with the caution that the
    /// evidence names; `invalid`: not to be used.
    pub state: CertificateState,
    /// Every rule that was applied, also those that hold.
    pub evidence: Vec<Evidence>,
}

/// One rule of the certificate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// `generator-lag`, `generator-cpu`, `connections`, `failed-requests`, ...
    pub what: String,
    /// What was seen, in `unit`.
    pub value: Option<f64>,
    /// Limit in `unit` beyond which the state is no longer `valid`.
    pub bound: Option<f64>,
    /// `ms`, `share` (0.05 is 5 %), or `1` (a count).
    pub unit: String,
    /// State that this rule alone gives the certificate.
    pub state: CertificateState,
    /// How it is known, and what to do when it does not hold.
    pub text: String,
    /// For `generator-lag` where several workers shared the load: how late each of them was,
    /// without workers that were lost. Absent otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub workers: Vec<WorkerLag>,
}

/// How late one of several workers was with its requests.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorkerLag {
    /// Its number, from 1.
    pub worker: u32,
    /// The worker began to handle 99 % of its requests at most this many milliseconds after their
    /// intended send time.
    pub lag_p99_ms: f64,
    /// Largest share of this lateness in a quantile of the worker's own response times, 0 to 1;
    /// null where too few of its requests were answered.
    pub late_share: Option<f64>,
}

/// What one phase measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseReport {
    /// Unique within the run.
    pub label: String,
    /// `closed`, `open`, `cold`, `rest`, ...
    #[schemars(with = "String")]
    pub kind: PhaseTag,
    /// In words: what was sent, when, and over which connections.
    pub what: String,
    /// Requests that can be under way at the same time.
    pub connections: u32,
    /// Begin of the phase, in seconds since the run began.
    pub started_s: f64,
    /// Requests of this phase whose intended instant came.
    pub requests: u64,
    /// Status below 400, or the one that was asked for, and all checks held.
    pub succeeded: u64,
    /// All other requests that ended.
    pub failed: u64,
    /// From its first intended instant to its last end.
    pub duration_s: f64,
    /// Answers a second in this phase, whatever their status.
    pub rate: f64,
    /// Requests a second that its schedule asked for; null when it asked for none.
    pub intended_rate: Option<f64>,
    /// end - intended, of requests that succeeded: what a user feels.
    pub response_time_ms: Option<Quantiles>,
    /// end - sent, of requests that succeeded: what closed-loop tools print.
    pub service_time_ms: Option<Quantiles>,
    /// sent - intended, of all requests that were sent: waiting for a connection included.
    pub dispatch_delay_ms: Option<Quantiles>,
    /// dispatched - intended, of all requests: how late the generator itself was.
    pub generator_lag_ms: Option<Quantiles>,
    /// How much of each quantile of the response time is that lateness; above 0.1 it is not the
    /// subject's any more. Empty without a schedule.
    #[serde(default)]
    pub late_shares: Vec<LateShare>,
    /// What became of its requests, by class of status (`2xx`) or kind of error (`timeout`).
    pub outcomes: BTreeMap<String, OutcomeCount>,
    /// Certificate of this phase alone.
    pub certificate: Certificate,
    /// Connections that had to be opened inside the clock.
    pub reconnects: u64,
    /// Processor time of the generator.
    pub generator_cpu_s: f64,
    /// How the generator kept time: what the end of a request is, and what was spun.
    #[serde(default)]
    pub time_keeping: Option<TimeKeeping>,
    /// Processor time that the hypervisor gave to others, over all processors.
    pub steal_s: f64,
    /// Of a load that several workers shared, what each of them did. Absent where there was one
    /// generator.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub workers: Vec<WorkerPart>,
    /// It was cut short.
    pub interrupted: bool,
}

/// One kind of request, over all phases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KindReport {
    /// As it is called in the mix; of the kinds beyond the 200th together, `other (n kinds)`.
    pub name: String,
    /// Requests of this kind that ended.
    pub requests: u64,
    /// Status below 400, or the one that was asked for, and all checks held.
    pub succeeded: u64,
    /// Requests that failed.
    pub failed: u64,
    /// end - intended, of requests that succeeded: what a user feels.
    pub response_time_ms: Option<Quantiles>,
    /// end - sent, of requests that succeeded: what closed-loop tools print.
    pub service_time_ms: Option<Quantiles>,
}

/// One of the slowest requests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SlowRequest {
    /// Label of its phase.
    pub phase: String,
    /// Its name in the mix.
    pub request: String,
    /// Its intended send time, in seconds since the phase began.
    pub intended_s: f64,
    /// end - intended.
    pub response_time_ms: f64,
    /// end - sent; null when it was never sent.
    pub service_time_ms: Option<f64>,
    /// sent - intended; null when it was never sent.
    pub dispatch_delay_ms: Option<f64>,
    /// The status, or the kind of error.
    pub outcome: String,
}

/// An objective, and what was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckReport {
    /// As the user wrote it.
    pub check: String,
    /// Whether it holds.
    pub passed: bool,
    /// The measured value in `unit`, with windows that of the worst. Null when nothing was
    /// measured, which counts as not passed.
    pub value: Option<f64>,
    /// Unit of the value, as the user wrote it: `ms`, `%`, `/s`, or empty for a count.
    pub unit: String,
    /// Phase of the window in which it was seen; null when it is of the whole run.
    pub phase: Option<String>,
    /// Begin of that window, since its phase began; null without windows.
    pub from_s: Option<f64>,
    /// End of that window.
    pub to_s: Option<f64>,
    /// The objective and what was seen, as a sentence.
    pub text: String,
}

/// A search for the highest rate at which an objective holds.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Search {
    /// As the user wrote it: `p99<50ms`.
    pub objective: String,
    /// The highest rate at which it was seen to hold; null when it held at none.
    pub rate: Option<f64>,
    /// Whether the objective held again when the rate was tried again.
    pub confirmed: bool,
    /// Every rate that was tried, in order.
    pub tries: Vec<SearchTry>,
    /// What was found, as a sentence.
    pub text: String,
}

/// One rate that was tried.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SearchTry {
    /// Requests a second that were asked for.
    pub rate: f64,
    /// Answers a second that came.
    pub achieved: f64,
    /// The objective held.
    pub holds: bool,
    /// end - intended, of requests that succeeded.
    #[serde(default)]
    pub response_time_ms: Option<Quantiles>,
    /// In words: `p99 was 61.2 ms`.
    pub text: String,
}

impl Search {
    /// As it is told.
    #[must_use]
    pub fn of(search: &SearchRecord) -> Self {
        Self {
            objective: search.objective.to_string(),
            rate: search.rate,
            confirmed: search.confirmed,
            tries: search.trials.iter().map(SearchTry::of).collect(),
            text: search.text.clone(),
        }
    }
}

impl SearchTry {
    fn of(trial: &TrialRecord) -> Self {
        let p99 = trial.response_time_ms.map_or_else(
            || "nothing was answered".to_owned(),
            |times| format!("p99 {}", figures::ms(times.p99)),
        );
        Self {
            rate: trial.rate,
            achieved: trial.throughput,
            holds: trial.outcome == TrialOutcome::Held,
            response_time_ms: trial.response_time_ms,
            text: match trial.outcome {
                TrialOutcome::Held => p99,
                TrialOutcome::Failed => format!("fails: {p99}"),
                TrialOutcome::GeneratorLimited => format!("the generator was late: {p99}"),
            },
        }
    }
}

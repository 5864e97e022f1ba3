//! `results.json`: what the analysis made of the launches.

use crate::{CellMemory, SearchRecord, WarmUpResult};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The whole analysis of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Results {
    /// [`crate::FORMAT`] of the program that wrote it.
    pub format: u32,
    /// One entry a cell, in the order of the plan.
    pub cells: Vec<CellResult>,
    /// Where one variant's total cost passes another's, within the same limits.
    pub break_evens: Vec<BreakEven>,
    /// The objectives, and how each cell met them.
    pub checks: Vec<CheckResult>,
    /// Whether the numbers may be believed, and why.
    pub certificate: Certificate,
    /// What to do.
    pub advice: Advice,
    /// Comparison of warm-ups; absent when the experiment did not ask for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm_up: Option<WarmUpResult>,
}

/// What is known of one cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CellResult {
    /// The cell, by its `id` in the plan.
    pub cell: String,
    /// Name of its variant.
    pub variant: String,
    /// Name of its limits.
    pub limits: String,
    /// Launches that count.
    pub valid: u32,
    /// Launches that lack a proof.
    pub invalid: u32,
    /// Launches that failed.
    pub failed: u32,
    /// Every metric that at least one valid launch has.
    pub metrics: Vec<MetricResult>,
    /// Cumulative cost over the requests served, medians over launches.
    pub cost: Vec<CostPoint>,
    /// Every search of its valid launches, trial by trial.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searches: Vec<LaunchSearch>,
    /// What its memory over time shows; absent when no launch left a series or a log to look at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<CellMemory>,
}

/// A search of one launch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LaunchSearch {
    /// Number of the launch, as in its `launch.json`.
    pub launch: u32,
    /// Label of the phase that searched, as in the plan.
    pub phase: String,
    /// What was tried and found.
    #[serde(flatten)]
    pub search: SearchRecord,
}

/// One metric of one cell over its valid launches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetricResult {
    /// Stable name: `ready_ms`, `first_request_ms`, `closed.throughput`, `open.response_p99_ms`,
    /// `peak_rss_bytes`, `application_bytes`, ...
    pub id: String,
    /// For people: `time to ready`.
    pub name: String,
    /// `ms`, `s`, `bytes`, `1/s`, `cpu-s`, `1` (a share or a count).
    pub unit: String,
    /// Which direction is good.
    pub good: Good,
    /// One value a launch; of one that was run again and its repetition the first that counts.
    pub values: Vec<LaunchValue>,
    /// Numbers of the launches in which more than a tenth of this quantile was the generator's own
    /// lateness. Their values are left out. Where no other launch has a value, they stand in
    /// `values` all the same, but no comparison uses them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub late: Vec<u32>,
    /// Numbers of the launches in which this metric was not shown to be steady: it changed until
    /// the end of the phase, or the phase was too short to tell and no earlier phase was steady.
    /// The value then reflects the compiler as much as the service. For throughput and processor
    /// time per request; and for the time until steady, of which it is a lower bound.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsteady: Vec<u32>,
    /// Median over launches with its 95 % bootstrap interval.
    pub estimate: Interval,
    /// Comparison with the baseline variant under the same limits; absent for the baseline itself,
    /// and where either has no value that may be compared.
    pub versus_baseline: Option<Comparison>,
}

impl MetricResult {
    /// No value is the subject's alone: each has too much of the generator's lateness.
    #[must_use]
    pub fn is_late(&self) -> bool {
        let is_late = |value: &LaunchValue| self.late.contains(&value.launch);
        self.values.first().is_some_and(is_late)
    }

    /// In more than half of the launches it was not shown to be steady.
    #[must_use]
    pub fn is_unsteady(&self) -> bool {
        self.unsteady.len() * 2 > self.values.len()
    }

    /// The median is a lower bound: it is the time until steady, and half of the launches or more
    /// never became steady.
    #[must_use]
    pub fn is_lower_bound(&self) -> bool {
        let is_until_steady = self.id.ends_with(".settled_after_s");
        is_until_steady && self.unsteady.len() * 2 >= self.values.len()
    }
}

/// Which direction of a metric is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Good {
    /// Less is better.
    Lower,
    /// More is better.
    Higher,
}

/// The value of one launch.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LaunchValue {
    /// Number of the launch, as in its `launch.json`.
    pub launch: u32,
    /// In the unit of the metric.
    pub value: f64,
}

/// An estimate with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Interval {
    /// The estimate itself, such as a median.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// A cell against its baseline.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// Median of this cell divided by the median of the baseline, with its 95 % bootstrap interval.
    /// With 8 or more launches of each (5 or more in a duet) it is the median of the ratios of
    /// launches of the same block.
    pub ratio: Interval,
    /// What the ratio and its interval show.
    pub verdict: Verdict,
    /// Practical threshold that was used, as a fraction.
    pub threshold: f64,
    /// Smallest difference, as a fraction, that 8 of 10 such runs would show to be beyond the
    /// threshold, given everything else that the run compares. 10 where it is as large or larger; 0
    /// where one value stands for all launches.
    pub smallest_detectable: f64,
    /// Launches of each that would settle an inconclusive comparison, if ratio and scatter stay as
    /// they are. Absent where it is settled, and where more than 100 would be needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launches_needed: Option<u32>,
}

/// The conclusion of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Better by more than the threshold. If all variants were identical, at most 5 % of runs would
    /// report any `better` or `worse`.
    Better,
    /// Worse by more than the threshold. The 5 % given for `better` include this verdict.
    Worse,
    /// The whole interval lies within the threshold.
    Same,
    /// The launches show none of these.
    Inconclusive,
}

/// Total cost after a number of requests served by one instance since its `exec`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostPoint {
    /// Requests served since `exec`.
    pub requests: f64,
    /// Processor time spent, start-up included.
    pub cpu_s: f64,
    /// Time that users waited: time to ready, and all service times.
    pub waiting_s: f64,
    /// Whether this point is beyond what was measured. It is then extrapolated with the cost per
    /// request of the last phase.
    pub extrapolated: bool,
}

/// What is added up in a [`BreakEven`].
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum CostKind {
    /// Processor time, start-up included.
    Cpu,
    /// Users' waiting time.
    Waiting,
}

/// The number of requests at which one variant's total cost passes another's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BreakEven {
    /// Name of the limits.
    pub limits: String,
    /// Which cost is added up.
    pub cost: CostKind,
    /// The variant that costs less for an instance that serves fewer requests than the break-even.
    pub cheaper_before: String,
    /// The variant that costs more for an instance that serves fewer requests. Absent in older
    /// results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costlier_before: Option<String>,
    /// The variant that costs less for an instance that serves more requests; the same as
    /// `cheaper_before` when the curves do not cross.
    pub cheaper_after: String,
    /// Number of requests at which the curves cross, within what was measured; absent when one
    /// variant is cheaper throughout.
    pub requests: Option<Interval>,
}

/// An objective and how a cell met it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckResult {
    /// As the user wrote it: `p99<50ms`.
    pub check: String,
    /// The cell, by its `id` in the plan.
    pub cell: String,
    /// Phase it was applied to; absent for metrics of the whole launch.
    pub phase: Option<String>,
    /// Measured: the median over launches, in the unit of the check; absent when nothing valid
    /// was measured, which counts as not passed.
    pub value: Option<f64>,
    /// Whether it holds.
    pub passed: bool,
}

/// How far the numbers of a run may be believed. The worst state of its evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Certificate {
    /// What all of the evidence comes to.
    pub state: CertificateState,
    /// Every rule that was applied, also those that hold.
    pub evidence: Vec<Evidence>,
}

impl Certificate {
    /// With one more piece of evidence, where there is one.
    #[must_use]
    pub fn and(mut self, evidence: Option<Evidence>) -> Self {
        self.evidence.extend(evidence);
        let states = self.evidence.iter().map(|evidence| evidence.state);
        self.state = states.max().unwrap_or(self.state).max(self.state);
        self
    }
}

/// States of a certificate, from best to worst.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum CertificateState {
    /// Nothing speaks against the numbers.
    Valid,
    /// Usable with the caution that the evidence names.
    Degraded,
    /// Not to be used.
    Invalid,
}

/// One rule of the certificate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// `dispatch-delay`, `generator-cpu`, `throttling`, `steal`, `other-processes`,
    /// `companions`, `port`, `failed-requests`, `failed-launches`, `missing-proofs`,
    /// `replication`, ...
    pub rule: String,
    /// State that this rule alone gives the certificate.
    pub state: CertificateState,
    /// One sentence with the number and its bound.
    pub statement: String,
    /// Numbers of the launches that this rule is about.
    pub launches: Vec<u32>,
}

/// What to do.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Advice {
    /// One sentence for the whole run.
    pub sentence: String,
    /// One sentence for each set of limits, with the reasons.
    pub by_limits: Vec<AdviceFor>,
}

/// Advice for one set of limits.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct AdviceFor {
    /// Name of the limits.
    pub limits: String,
    /// What to choose and why, in one sentence.
    pub sentence: String,
    /// The variant to ship; absent where nothing is advised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pick: Option<String>,
    /// Id of the metric in which the runner-up was worse; absent where no metric tells the two
    /// apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<String>,
    /// The closest competitor of `pick`: the last of the other variants that remained. Absent when
    /// there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<String>,
    /// How much memory variants save or take compared with others, and the effect on throughput:
    /// the sentences of `memory_pairs`.
    #[serde(default)]
    pub memory: Vec<String>,
    /// Pairs of variants whose memory was shown to differ. First each variant compared with the
    /// baseline, beginning with those that save memory without losing throughput; then the best of
    /// these compared with every other variant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory_pairs: Vec<MemoryPair>,
}

/// Two variants, their memory and their throughput.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryPair {
    /// Variant that is compared.
    pub variant: String,
    /// The one that it is compared with.
    pub against: String,
    /// Memory of `variant` compared with that of `against`.
    pub memory: Comparison,
    /// Id of the metric that stands for throughput: throughput of the last closed phase, or
    /// processor time per request.
    pub capacity_metric: String,
    /// The two variants compared by `capacity_metric`.
    pub capacity: Comparison,
    /// The comparison in words.
    pub sentence: String,
}

//! The startup probe: long enough that a healthy pod is hardly ever killed.
//!
//! The kubelet probes for the first time as soon as it sees the container running, then each
//! period, and kills at the n-th failure in a row (`doProbe` in pkg/kubelet/prober/worker.go of
//! Kubernetes 1.34). A pod therefore has (failureThreshold - 1) x periodSeconds for certain, and
//! not failureThreshold x periodSeconds as is often said.

use crate::input::Checked;
use crate::times::{Exceedance, Times};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One or two failures are no evidence. This is also the API's default.
const LEAST_THRESHOLD: u32 = 3;
/// Never wait longer than this many times the slowest launch, however uncertain the prediction is.
const MOST_TIMES_THE_SLOWEST: f64 = 10.0;
/// But always allow this many seconds, however fast the slowest launch was.
const ALWAYS_AFFORDABLE: f64 = 30.0;
/// Where a slowest launch as far out as the measured one would be rarer than this if times were
/// log-normal, they are not log-normal.
pub(crate) const OUTLIER: f64 = 0.01;

/// The startup probe and what it means for healthy pods.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Startup {
    /// Seconds from one question to the next: `periodSeconds`.
    pub period_seconds: u32,
    /// Seconds until a question counts as failed: `timeoutSeconds`.
    pub timeout_seconds: u32,
    /// The threshold that was chosen.
    pub chosen: Threshold,
    /// Whether the chosen threshold keeps the share of healthy pods that are killed below the
    /// target.
    pub keeps_target: bool,
    /// Whether the slowest launch is an outlier.
    pub has_outlier: bool,
    /// The chosen threshold, and others below and above it.
    pub table: Vec<Threshold>,
}

/// A `failureThreshold` and what it does to healthy pods.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Threshold {
    /// Failures in a row after which a pod is killed: `failureThreshold`.
    pub failures: u32,
    /// No pod is killed before that, in seconds.
    pub kills_after_s: f64,
    /// The probability that a healthy pod is killed on the slowest node.
    pub slowest_node: Exceedance,
    /// The same on a node as fast as the measured machine.
    pub as_measured: Exceedance,
}

/// Thresholds of one period, for launches that may take longer than measured.
#[derive(Debug, Clone, Copy)]
struct Scale<'a> {
    times: &'a Times,
    slowdown: f64,
    period: u32,
}

impl Startup {
    pub(crate) fn of(checked: &Checked) -> Self {
        let times = checked.started();
        let scale = Scale {
            times,
            slowdown: checked.input.slowdown,
            period: period(times.median()),
        };
        let has_outlier = times.slowest_by_chance() < OUTLIER;
        let covered = times.slowest() * if has_outlier { 2.0 } else { 1.0 };
        let least = scale.failures_for(covered).max(LEAST_THRESHOLD);
        let most = scale
            .failures_for(
                (MOST_TIMES_THE_SLOWEST * times.slowest()).max(ALWAYS_AFFORDABLE / scale.slowdown),
            )
            .max(least);
        let chosen = scale.least_for(checked.input.target, least, most);
        Self {
            period_seconds: scale.period,
            timeout_seconds: timeout(checked.input.measured.responses.cold_max),
            chosen,
            keeps_target: chosen.keeps(checked.input.target),
            has_outlier,
            table: scale.table(chosen.failures),
        }
    }
}

impl Threshold {
    fn keeps(&self, target: f64) -> bool {
        self.slowest_node.log_normal < target
    }
}

impl Scale<'_> {
    fn at(&self, failures: u32) -> Threshold {
        let kills_after_s = f64::from(failures - 1) * f64::from(self.period);
        Threshold {
            failures,
            kills_after_s,
            slowest_node: self.times.exceeds(kills_after_s / self.slowdown),
            as_measured: self.times.exceeds(kills_after_s),
        }
    }

    /// The threshold at which a start that took this many seconds on the measured machine survives
    /// on the slowest node.
    fn failures_for(&self, seconds: f64) -> u32 {
        let periods = (seconds * self.slowdown / f64::from(self.period)).ceil();
        (periods as u32).saturating_add(1)
    }

    /// The lowest threshold between `least` and `most` that keeps the target; otherwise `most`.
    fn least_for(&self, target: f64, least: u32, most: u32) -> Threshold {
        let mut failures = self
            .failures_for(self.times.exceeded_by(target))
            .clamp(least, most);
        // The quantile is exact except for its last digits, so adjust it.
        while failures < most && !self.at(failures).keeps(target) {
            failures += 1;
        }
        while failures > least && self.at(failures - 1).keeps(target) {
            failures -= 1;
        }
        self.at(failures)
    }

    /// The thresholds that half, a tenth, a hundredth and a thousandth of the pods exceed (if below
    /// the chosen one), the chosen one, and one half as large again.
    fn table(&self, chosen: u32) -> Vec<Threshold> {
        let shares = [0.5, 0.1, 0.01, 0.001];
        let wanted = shares.map(|share| self.failures_for(self.times.exceeded_by(share)));
        let mut failures: Vec<u32> = wanted
            .into_iter()
            .filter(|failures| *failures < chosen)
            .collect();
        failures.extend([chosen, chosen + chosen.div_ceil(2)]);
        failures.sort_unstable();
        failures.dedup();
        failures
            .into_iter()
            .map(|failures| self.at(failures))
            .collect()
    }
}

/// A twentieth of the median start, so that waiting for the next probe adds little. At least a
/// second, which is the finest period that Kubernetes has.
fn period(median: f64) -> u32 {
    (median / 20.0).round().clamp(1.0, 10.0) as u32
}

/// Twice the slowest answer that was seen, in whole seconds.
pub(crate) fn timeout(slowest: f64) -> u32 {
    (2.0 * slowest).ceil().clamp(1.0, 30.0) as u32
}

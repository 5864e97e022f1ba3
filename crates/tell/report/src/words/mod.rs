//! The words and signs of a report, the same in every format.
//!
//! A sign always stands beside its word or number, so that nothing depends on colour.

mod break_even;
mod check;
mod diagnosis;
mod failed_cells;
mod memory;
mod phase;
mod prose;
mod shell;
mod warm_up;

pub use break_even::{break_even, break_evens, cost, crosses};
pub use check::{check, check_value, measured};
pub use diagnosis::diagnosis;
pub use failed_cells::{FailedCell, failed_cells};
pub use memory::{finding, found_in, not_told, pattern};
pub use phase::{is_loaded, load, phase};
pub use prose::{Stretch, prose};
pub use shell::{command_line, quoted};
pub use warm_up::{WarmUpRow, WarmUpTable, WarmUpTitle, warm_up};

use std::collections::BTreeSet;
use tacho_figures as figures;
use tacho_run_folder::{
    CertificateState, Comparison, Evidence, FailureCause, LaunchOutcome, Limits, MetricResult,
    Results, RunData, Verdict,
};

/// `84 MiB`. With `!` if in every launch more than a tenth of the value was the generator's own
/// lateness. With `~` if the subject was not shown to be warm. `> 30 s` of a lower bound.
#[must_use]
pub fn value(metric: &MetricResult) -> String {
    let value = figures::value(metric.estimate.value, &metric.unit);
    match metric {
        _ if metric.is_late() => format!("{value} !"),
        _ if metric.is_lower_bound() => format!("> {value}"),
        _ if metric.is_unsteady() => format!("{value} ~"),
        _ => value,
    }
}

/// Explains `!` and `~` if any metric has them.
#[must_use]
pub fn mark_notes(results: &Results) -> Vec<&'static str> {
    let has = |is: fn(&MetricResult) -> bool| {
        let mut metrics = results.cells.iter().flat_map(|cell| &cell.metrics);
        metrics.any(is)
    };
    let late = has(MetricResult::is_late).then_some(
        "! in every launch more than a tenth of it was the generator's own lateness: it is left out of comparisons.",
    );
    let unsteady = has(|metric| metric.is_unsteady() && !metric.is_lower_bound()).then_some(
        "~ not shown to be steady: it changed until the end of the phase, or the phase was too short to tell. It may show warm-up as much as the service; add a settle phase before it.",
    );
    [late, unsteady].into_iter().flatten().collect()
}

/// The word for a verdict: `better`.
#[must_use]
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "better",
        Verdict::Worse => "worse",
        Verdict::Same => "same",
        Verdict::Inconclusive => "inconclusive",
    }
}

/// A sign that can be told apart without colour.
#[must_use]
pub fn verdict_sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "✓",
        Verdict::Worse => "✗",
        Verdict::Same => "=",
        Verdict::Inconclusive => "?",
    }
}

/// `×0.45 ✓ better`, `×0.97 ? 12 %`; short enough for a column.
#[must_use]
pub fn comparison(comparison: &Comparison) -> String {
    let short = short_comparison(comparison);
    match comparison.verdict {
        Verdict::Inconclusive => short,
        other => format!("{short} {}", verdict(other)),
    }
}

/// The smallest difference that could have been detected, if none was.
#[must_use]
pub fn detectable(comparison: &Comparison) -> Option<String> {
    (comparison.verdict == Verdict::Inconclusive)
        .then(|| figures::effect(comparison.smallest_detectable))
}

/// A ratio with the sign of its verdict: `×0.45 ✓`, `×0.97 ? 12 %`.
#[must_use]
pub fn short_comparison(comparison: &Comparison) -> String {
    let detectable =
        detectable(comparison).map_or_else(String::new, |percent| format!(" {percent}"));
    format!(
        "{} {}{detectable}",
        figures::ratio(comparison.ratio.value),
        verdict_sign(comparison.verdict)
    )
}

/// `valid`, `degraded` or `invalid`.
#[must_use]
pub fn certificate(state: CertificateState) -> &'static str {
    match state {
        CertificateState::Valid => "valid",
        CertificateState::Degraded => "degraded",
        CertificateState::Invalid => "invalid",
    }
}

/// What a certificate's state means for the reader.
#[must_use]
pub fn certificate_meaning(state: CertificateState) -> &'static str {
    match state {
        CertificateState::Valid => "nothing speaks against these numbers",
        CertificateState::Degraded => "usable with the caution that the evidence names",
        CertificateState::Invalid => "these numbers are not to be used",
    }
}

/// Whether the evidence is shown if there is room for little. It is if it speaks against the
/// numbers, or says what was measured (`port`, `companions`).
#[must_use]
pub fn is_told(evidence: &Evidence) -> bool {
    let says_of_what = matches!(evidence.rule.as_str(), "port" | "companions");
    evidence.state != CertificateState::Valid || says_of_what
}

/// `1 CPU, 256 MiB`.
#[must_use]
pub fn limits(limits: &Limits) -> String {
    let cpu = limits.cpu.map(|cpu| format!("{cpu} CPU"));
    let memory = limits
        .memory_bytes
        .map(|bytes| figures::bytes(bytes as f64));
    match (cpu, memory) {
        (Some(cpu), Some(memory)) => format!("{cpu}, {memory}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => "no limits".to_owned(),
    }
}

/// `out of memory`.
#[must_use]
pub fn failure(cause: FailureCause) -> &'static str {
    match cause {
        FailureCause::NotStarted => "not started",
        FailureCause::Exited => "exited by itself",
        FailureCause::Killed => "killed by a signal",
        FailureCause::OutOfMemory => "out of memory",
        FailureCause::NeverReady => "never ready",
        FailureCause::PortTaken => "port taken",
        FailureCause::LimitsNotApplied => "limits not applied",
        FailureCause::NoResponses => "no responses",
        FailureCause::ImageNotPulled => "image not pulled",
        FailureCause::QuotaReached => "quota reached",
        FailureCause::NotScheduled => "not scheduled",
        FailureCause::Evicted => "evicted",
        FailureCause::NodeLost => "node lost",
        FailureCause::ApiLost => "API lost",
        FailureCause::NotChanged => "change not over",
    }
}

/// `failed (out of memory)`, for every end that does not count.
#[must_use]
pub fn trouble(outcome: &LaunchOutcome) -> Option<(String, &str)> {
    match outcome {
        LaunchOutcome::Completed => None,
        LaunchOutcome::Running => Some((
            "unfinished".to_owned(),
            "Tacho was ended while this launch went on.",
        )),
        LaunchOutcome::Interrupted => {
            Some(("interrupted".to_owned(), "The run was ended by the user."))
        }
        LaunchOutcome::Invalid { reason } => Some(("invalid".to_owned(), reason)),
        LaunchOutcome::Spoiled { reason } => Some(("spoiled".to_owned(), reason)),
        LaunchOutcome::Failed { cause, message, .. } => {
            Some((format!("failed ({})", failure(*cause)), message))
        }
    }
}

/// `5 of each variant`, `5 of each variant under each of 2 limits`.
#[must_use]
pub fn replicates(run: &RunData) -> String {
    let limits: BTreeSet<&str> = run
        .plan
        .cells
        .iter()
        .map(|cell| cell.limits.name.as_str())
        .collect();
    let plan = &run.plan;
    // After a complete run, the plan holds the actual number of launches. After an interrupted one,
    // it may hold more.
    let is_cut = run.header.interrupted && !plan.looks.is_empty();
    let at_most = if is_cut { "at most " } else { "" };
    let each = format!("{at_most}{} of each variant", plan.launches_per_cell);
    match limits.len() {
        0 | 1 => each,
        n => format!("{each} under each of {n} limits"),
    }
}

//! Sentences of two runs that were carried out apart.

use crate::document::{DiagnosisReport, StoredRun};
use tacho_figures as figures;
use tacho_run_folder::Verdict;

/// Names the two runs, one line each. Empty if both builds were launched together.
pub fn lines(report: &DiagnosisReport) -> Vec<String> {
    let Some(stored) = &report.stored else {
        return Vec::new();
    };
    let line = |role: &str, run: &StoredRun| {
        let looked = match run.looked_into {
            true => "looked into",
            false => "not looked into with instruments",
        };
        format!(
            "{role}: variant {} of {}, of {}, {}, {looked}",
            run.variant,
            run.folder,
            run.started_at,
            figures::launches(run.launches as usize)
        )
    };
    vec![
        line("Baseline", &stored.baseline),
        line("Candidate", &stored.candidate),
    ]
}

/// The text before the command that finds the cause, which only new launches can tell.
pub const PUT_BACK: &str = "The stored measurements do not tell which change is the cause. For that, launch the builds with changes put back one by one, by";

/// The command that does so.
pub fn to_put_back(report: &DiagnosisReport) -> Option<&str> {
    report.stored.as_ref()?.to_put_back.as_deref()
}

/// The runs were made on machines that are unlike.
pub fn is_elsewhere(report: &DiagnosisReport) -> bool {
    let stored = report.stored.as_ref();
    stored.is_some_and(|stored| !stored.elsewhere.is_empty())
}

/// Why no verdict is made of their times.
pub fn elsewhere(report: &DiagnosisReport) -> String {
    let stored = report.stored.as_ref();
    let unlike = stored.map_or_else(String::new, |stored| stored.elsewhere.join("; "));
    format!(
        "Not told whether {} is slower than {}: the runs were made on unlike machines ({unlike}). What differs in time may be the machine's; what was counted is not.",
        report.candidate,
        report.baseline.as_deref().unwrap_or("the baseline")
    )
}

/// Whether the candidate is slower, but nothing was seen that could explain it.
pub fn is_not_looked_into(report: &DiagnosisReport) -> bool {
    report.findings.is_none()
}

/// How much slower the candidate is, and why no reason is known.
pub fn not_looked_into(report: &DiagnosisReport) -> String {
    let worse = report.measured.iter();
    let worse = worse.filter(|row| row.decides && row.verdict == Some(Verdict::Worse));
    let rows: Vec<String> = worse
        .filter_map(|row| {
            let ratio = row.ratio.as_ref()?;
            let (value, bounds) = (figures::ratio(ratio.value), figures::ratio_interval(ratio));
            Some(format!("{} {value} ({bounds})", row.name))
        })
        .collect();
    let why = match report.stored.is_some() {
        true => "the runs do not both hold a launch that was looked into with instruments",
        false => "the launch in which a build is looked into with instruments failed",
    };
    format!(
        "{} is slower than {} (ratios, 95 %: {}). Why is not told: {why}.",
        report.candidate,
        report.baseline.as_deref().unwrap_or("the baseline"),
        rows.join("; ")
    )
}

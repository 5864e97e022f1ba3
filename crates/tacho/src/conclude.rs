//! From a run folder to results, reports and exit code.

use crate::error::Error;
use crate::exit::Exit;
use crate::{Done, output};
use std::path::{Path, PathBuf};
use tacho_report::{html, json, junit, markdown, terminal};
use tacho_run_folder::{CertificateState, LaunchOutcome, Results, RunData, RunFolder};

/// Files that the user asked for beside the report.
pub struct Outputs<'a> {
    /// JUnit XML.
    pub junit: Option<&'a Path>,
    /// Markdown.
    pub markdown: Option<&'a Path>,
    /// JSON; `-` is standard output, which then holds nothing else.
    pub json: Option<&'a Path>,
}

/// Analyses the run, writes the reports, prints the summary.
pub fn conclude(folder: &RunFolder, checks: &[String], outputs: &Outputs<'_>) -> Done {
    let (run, results, page) = analyse(folder, checks, outputs)?;
    output::json_or_summary(
        outputs.json,
        || json::render(&results),
        || terminal::render(&run, &results, Some(&shown(&page)), &output::style()),
    )?;
    Ok(exit(&run, &results))
}

/// The same for a command that has a summary of its own: nothing is printed.
pub fn conclude_silently(folder: &RunFolder, outputs: &Outputs<'_>) -> Done {
    let (run, results, _) = analyse(folder, &[], outputs)?;
    Ok(exit(&run, &results))
}

fn analyse(
    folder: &RunFolder,
    checks: &[String],
    outputs: &Outputs<'_>,
) -> Result<(RunData, Results, PathBuf), Error> {
    let mut run = tacho_gc_log::load(folder)?;
    tacho_report::series::load_seconds(folder, &mut run)?;
    run.plan.checks.extend_from_slice(checks);
    let results = tacho_analysis::analyse(&run);
    folder.write_results(&results)?;
    let page = html::write(folder)?;
    if let Some(path) = outputs.junit {
        output::write(path, junit::render(&run, &results))?;
    }
    if let Some(path) = outputs.markdown {
        output::write(path, markdown::render(&run, &results))?;
    }
    Ok((run, results, page))
}

/// Relative to the current directory where that is shorter.
fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).to_owned()
}

/// Trust first, then objectives: a check on numbers that are not to be believed says nothing.
fn exit(run: &RunData, results: &Results) -> Exit {
    let failed = run
        .launches
        .iter()
        .any(|l| matches!(l.record.outcome, LaunchOutcome::Failed { .. }));
    if run.header.interrupted {
        Exit::Interrupted
    } else if failed || results.certificate.state == CertificateState::Invalid {
        Exit::Invalid
    } else if results.checks.iter().any(|check| !check.passed) {
        Exit::CheckFailed
    } else {
        Exit::Done
    }
}

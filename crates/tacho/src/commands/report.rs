//! `tacho report`.

use super::fit;
use crate::arguments::Report;
use crate::conclude::conclude_again;
use crate::error::Error;
use crate::exit::Exit;
use crate::{Done, output};
use std::path::{Path, PathBuf};
use tacho_analysis::check::Check;
use tacho_diagnosis_report::{DiagnosisReport, text};
use tacho_run_folder::{FolderError, RunFolder, read_document};

/// What a diagnosis concluded.
const DIAGNOSIS: &str = "diagnose.json";

/// A search that was killed before its first trial ended has no result, but its runs can be read.
fn no_trial(runs: &[PathBuf]) -> Done {
    let mut said = "This search for the least memory or CPU ended before its first trial was over. What its runs measured is read with\n".to_owned();
    for run in runs {
        said += &format!("  tacho report {}\n", run.display());
    }
    crate::print(&said)?;
    Ok(Exit::Invalid)
}

/// Analyses the run folder again and writes its reports; reads that of a search and of a diagnosis,
/// too.
pub fn report(arguments: &Report) -> Done {
    for check in &arguments.checks {
        Check::parse_list(check)?;
    }
    let path = &arguments.run;
    if !path.join("run.json").exists() {
        if path.join(fit::FILE).exists() {
            if !arguments.exports.without("json").is_empty() {
                crate::tell!(
                    "note: of a search only --json is written; other formats are for its runs"
                );
            }
            return fit::again(path, arguments.exports.path("json"));
        }
        if path.join(DIAGNOSIS).exists() {
            return of_stored_runs(arguments);
        }
        let runs = runs_in(path);
        if !runs.is_empty() {
            return no_trial(&runs);
        }
        if has_only_begun(path) {
            return Err(FolderError::EndedAtOnce(path.clone()).into());
        }
    }
    let folder = RunFolder::open(path)?;
    let concluded = conclude_again(&folder, &arguments.checks, &arguments.exports);
    if !arguments.exports.takes_stdout() {
        diagnosed(&folder)?;
    }
    concluded
}

/// The result of a diagnosis of two stored runs. Their own folders hold everything else.
fn of_stored_runs(arguments: &Report) -> Done {
    let exports = &arguments.exports;
    if !exports.without("json").is_empty() || !arguments.checks.is_empty() {
        crate::tell!(
            "note: of two stored runs only --json is written; other formats and checks are for each run"
        );
    }
    let report: DiagnosisReport = read_document(&arguments.run.join(DIAGNOSIS))?;
    output::json_or_summary(
        exports.path("json"),
        || output::pretty(&report),
        || text::render(&report, &output::style()),
    )?;
    Ok(Exit::Done)
}

/// What a diagnosis concluded, where one did; else how far it came.
fn diagnosed(folder: &RunFolder) -> Result<(), Error> {
    if let Some(report) = folder.document::<DiagnosisReport>(DIAGNOSIS)? {
        return crate::print(&format!("\n{}", text::render(&report, &output::style())));
    }
    let mut looked_into = 0;
    for launch in folder.diagnoses()? {
        looked_into += usize::from(launch.dissection()?.is_some());
    }
    if looked_into > 0 {
        let launches = tacho_figures::launches(looked_into);
        crate::print(&format!(
            "\nThe diagnosis did not come to its end: {launches} of it can be read, in diagnosis/; `tacho diagnose` again says why.\n"
        ))?;
    }
    Ok(())
}

/// The run folders in a folder.
fn runs_in(folder: &Path) -> Vec<PathBuf> {
    let mut runs: Vec<PathBuf> = folders_in(folder)
        .filter(|path| path.join("run.json").exists())
        .collect();
    runs.sort();
    runs
}

/// Whether a search was killed while it made its first run folder.
fn has_only_begun(folder: &Path) -> bool {
    let mut runs = folders_in(folder)
        .map(|path| RunFolder::open(&path))
        .peekable();
    runs.peek().is_some() && runs.all(|run| matches!(run, Err(FolderError::EndedAtOnce(_))))
}

/// The folders in a folder. Links are not followed.
fn folders_in(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.map(|entry| entry.path())
}

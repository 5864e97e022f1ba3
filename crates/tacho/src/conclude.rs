//! From a run folder to results, reports and exit code.

use crate::error::Error;
use crate::exit::Exit;
use crate::output::Unwritten;
use crate::{Done, output};
use std::path::{Path, PathBuf};
use tacho_report::{html, json, junit, markdown, terminal};
use tacho_run_folder::{Conclusion, Results, RunData, RunFolder};

/// Files that the user asked for beside the report.
pub struct Outputs<'a> {
    /// JUnit XML.
    pub junit: Option<&'a Path>,
    /// Markdown.
    pub markdown: Option<&'a Path>,
    /// JSON; `-` is standard output, which then holds nothing else.
    pub json: Option<&'a Path>,
}

/// Analyses the run, writes the reports, prints the summary. What cannot be written keeps nothing from being printed: it is
/// said afterwards.
pub fn conclude(folder: &RunFolder, checks: &[String], outputs: &Outputs<'_>) -> Done {
    told(folder, checks, outputs, true)
}

/// The same for a run that is over: JSON on standard output needs no file, and writes none but those that were asked for.
pub fn conclude_again(folder: &RunFolder, checks: &[String], outputs: &Outputs<'_>) -> Done {
    let is_written = !outputs.json.is_some_and(output::is_stdout);
    told(folder, checks, outputs, is_written)
}

fn told(folder: &RunFolder, checks: &[String], outputs: &Outputs<'_>, is_written: bool) -> Done {
    let (run, results) = analyse(folder, checks)?;
    let mut unwritten = Unwritten::default();
    let page = is_written.then(|| write(folder, &run, &results));
    let page = page.and_then(|page| unwritten.take(page));
    unwritten.take(write_asked(&run, &results, outputs));
    unwritten.take(output::json_or_summary(
        outputs.json,
        || json::render(&results),
        || terminal::render(&run, &results, page.as_deref(), &output::style()),
    ));
    unwritten.or(Conclusion::of(&run, &results).into())
}

/// The same for a command that has a summary of its own: nothing is printed. `measured` is what was loaded when all had been measured.
pub fn conclude_silently(
    folder: &RunFolder,
    measured: Option<RunData>,
    outputs: &Outputs<'_>,
) -> Result<(RunData, Results, Exit), Error> {
    let run = match measured {
        Some(run) => tacho_run::load_rest(folder, run)?,
        None => tacho_run::load(folder)?,
    };
    let results = tacho_analysis::analyse(&run);
    write(folder, &run, &results)?;
    write_asked(&run, &results, outputs)?;
    let exit = Conclusion::of(&run, &results).into();
    Ok((run, results, exit))
}

fn analyse(folder: &RunFolder, checks: &[String]) -> Result<(RunData, Results), Error> {
    let mut run = tacho_run::load(folder)?;
    run.plan.checks.extend_from_slice(checks);
    let results = tacho_analysis::analyse(&run);
    Ok((run, results))
}

/// Into the run folder; the path of the page, as it is shown.
fn write(folder: &RunFolder, run: &RunData, results: &Results) -> Result<PathBuf, Error> {
    folder.write_results(results)?;
    Ok(shown(&html::write_page(folder, run, results)?))
}

/// Where the user wants more.
fn write_asked(run: &RunData, results: &Results, outputs: &Outputs<'_>) -> Result<(), Error> {
    let mut unwritten = Unwritten::default();
    if let Some(path) = outputs.junit {
        unwritten.take(output::write(path, junit::render(run, results)));
    }
    if let Some(path) = outputs.markdown {
        unwritten.take(output::write(path, markdown::render(run, results)));
    }
    unwritten.or(())
}

/// Relative to the current directory where that is shorter.
fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).to_owned()
}

//! From a run folder to results, reports and exit code.

use crate::error::Error;
use crate::exit::Exit;
use crate::{Done, print};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use tacho_report::terminal::{self, Style};
use tacho_report::{html, json, junit, markdown};
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
    let mut run = folder.load()?;
    run.plan.checks.extend_from_slice(checks);
    let results = tacho_analysis::analyse(&run);
    folder.write_results(&results)?;
    let page = html::write(folder)?;
    if let Some(path) = outputs.junit {
        write(path, &junit::render(&run, &results))?;
    }
    if let Some(path) = outputs.markdown {
        write(path, &markdown::render(&run, &results))?;
    }
    let to_stdout = outputs.json.is_some_and(|path| path == Path::new("-"));
    if let Some(path) = outputs.json {
        let text = json::render(&results)?;
        if to_stdout {
            print(&text)?;
        } else {
            write(path, &text)?;
        }
    }
    if !to_stdout {
        print(&terminal::render(&run, &results, &style(&page)))?;
    }
    Ok(exit(&run, &results))
}

fn style(page: &Path) -> Style {
    Style {
        colour: anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never,
        width: width(),
        report: Some(shown(page)),
    }
}

/// Relative to the current directory where that is shorter.
fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).to_owned()
}

fn width() -> usize {
    if !std::io::stdout().is_terminal() {
        return 100;
    }
    rustix::termios::tcgetwinsize(std::io::stdout())
        .ok()
        .map(|size| usize::from(size.ws_col))
        .filter(|columns| *columns > 0)
        .unwrap_or(100)
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|source| Error::Write {
        path: PathBuf::from(path),
        source,
    })
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

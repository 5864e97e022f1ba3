//! `tacho report`.

use crate::Done;
use crate::arguments::Report;
use crate::conclude::{Outputs, conclude};
use tacho_analysis::check::Check;
use tacho_run_folder::RunFolder;

/// Analyses the run folder again and writes its reports.
pub fn report(arguments: &Report) -> Done {
    for check in &arguments.checks {
        Check::parse(check)?;
    }
    let folder = RunFolder::open(&arguments.run)?;
    conclude(
        &folder,
        &arguments.checks,
        &Outputs {
            junit: arguments.junit.as_deref(),
            markdown: arguments.markdown.as_deref(),
            json: arguments.json.as_deref(),
        },
    )
}

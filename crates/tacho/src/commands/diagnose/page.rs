//! What lies in the run folder for people and for other tools: the page, and the exports beside it.

use crate::error::Error;
use tacho_diagnosis_report::html::PageError;
use tacho_diagnosis_report::{DiagnosisReport, export, html};
use tacho_run_folder::{Dissection, RunFolder};

/// Writes `diagnose.html` and the profiles.
pub fn write(
    folder: &RunFolder,
    report: &DiagnosisReport,
    baseline: Option<&Dissection>,
    candidate: Option<&Dissection>,
) -> Result<(), Error> {
    let page = html::render(report, baseline, candidate)?;
    folder.write_text(html::FILE, &page)?;
    for (name, text) in export::files(baseline, candidate).map_err(PageError::from)? {
        folder.write_text(&name, &text)?;
    }
    Ok(())
}

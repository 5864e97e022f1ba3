//! The report as JSON. Its schema is `docs/schema/load.json`.

use crate::{LoadReport, LoadReportError};

/// Indented JSON, ending in a newline.
///
/// # Errors
/// When a value cannot be written as JSON.
pub fn render(report: &LoadReport) -> Result<String, LoadReportError> {
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    Ok(text)
}

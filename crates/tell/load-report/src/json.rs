//! The report as JSON. Its schema is `docs/schema/load.json`.

use crate::{Exporter, Format, LoadReport, LoadReportError};

/// A load run as JSON.
pub const JSON: Format = Exporter {
    option: "json",
    variable: "TACHO_JSON",
    help: "Result as JSON (- for standard output)",
    export: |of| render(&of.run.report).map(String::into_bytes),
};

/// Indented JSON, ending in a newline.
///
/// # Errors
/// When a value cannot be written as JSON.
pub fn render(report: &LoadReport) -> Result<String, LoadReportError> {
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    Ok(text)
}

//! The analysis as JSON: what `results.json` holds, for a pipe.

use crate::{Exporter, Format, ReportError};
use tacho_run_folder::Results;

/// A run as JSON.
pub const JSON: Format = Exporter {
    option: "json",
    variable: "TACHO_JSON",
    help: "Also write the results as JSON (- for standard output)",
    export: |of| render(&of.results).map(String::into_bytes),
};

/// Indented JSON, ending in a newline. Its schema is `docs/schema/results.json`.
///
/// # Errors
/// When a value cannot be written as JSON.
pub fn render(results: &Results) -> Result<String, ReportError> {
    let mut text = serde_json::to_string_pretty(results)?;
    text.push('\n');
    Ok(text)
}

//! The analysis as JSON: what `results.json` holds, for a pipe.

use crate::{Analysed, Exporter, ReportError};
use tacho_run_folder::Results;

/// A run as JSON.
pub struct Json;

impl Exporter for Json {
    type Of = Analysed;
    type Error = ReportError;

    fn option(&self) -> &'static str {
        "json"
    }

    fn help(&self) -> &'static str {
        "Also write the results as JSON (- for standard output)"
    }

    fn export(&self, of: &Analysed) -> Result<Vec<u8>, ReportError> {
        render(&of.results).map(String::into_bytes)
    }
}

/// Indented JSON, ending in a newline. Its schema is `docs/schema/results.json`.
///
/// # Errors
/// When a value cannot be written as JSON.
pub fn render(results: &Results) -> Result<String, ReportError> {
    let mut text = serde_json::to_string_pretty(results)?;
    text.push('\n');
    Ok(text)
}

//! The report as JSON. Its schema is `docs/schema/load.json`.

use crate::{Exporter, LoadReport, LoadReportError, LoadResult};

/// A load run as JSON.
pub struct Json;

impl Exporter for Json {
    type Of = LoadResult;
    type Error = LoadReportError;

    fn option(&self) -> &'static str {
        "json"
    }

    fn help(&self) -> &'static str {
        "Result as JSON (- for standard output)"
    }

    fn export(&self, of: &LoadResult) -> Result<Vec<u8>, LoadReportError> {
        render(&of.run.report).map(String::into_bytes)
    }
}

/// Indented JSON, ending in a newline.
///
/// # Errors
/// When a value cannot be written as JSON.
pub fn render(report: &LoadReport) -> Result<String, LoadReportError> {
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    Ok(text)
}

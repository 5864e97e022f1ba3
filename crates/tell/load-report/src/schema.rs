//! The JSON Schema of the report, made from the types that write it.

use crate::{LoadReport, LoadReportError};
use schemars::schema_for;

/// The text of `docs/schema/load.json`, ending in a newline.
///
/// # Errors
/// When the schema cannot be written as JSON.
pub fn render() -> Result<String, LoadReportError> {
    let mut text = serde_json::to_string_pretty(&schema_for!(LoadReport))?;
    text.push('\n');
    Ok(text)
}

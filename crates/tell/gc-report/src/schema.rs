//! The JSON Schemas of a log and of two, made from the types that write them.

use crate::two::Two;
use schemars::schema_for;
use tacho_gc_conclusions::Reading;
use tacho_report::RenderError;

/// The text of `docs/schema/gc.json`, ending in a newline.
///
/// # Errors
/// When the schema cannot be written as JSON.
pub fn render() -> Result<String, RenderError> {
    let mut text = serde_json::to_string_pretty(&schema_for!(Reading))?;
    text.push('\n');
    Ok(text)
}

/// The text of `docs/schema/gc-two.json`, ending in a newline.
///
/// # Errors
/// When the schema cannot be written as JSON.
pub fn render_two() -> Result<String, RenderError> {
    let mut text = serde_json::to_string_pretty(&schema_for!(Two<'_>))?;
    text.push('\n');
    Ok(text)
}

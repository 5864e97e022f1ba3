//! The summary and the conclusions as JSON. Its schema is `docs/schema/gc.json`.

use tacho_gc_conclusions::Reading;
use tacho_report::RenderError;

/// Indented JSON, ending in a newline.
///
/// # Errors
/// When a value cannot be written as JSON.
pub fn render(reading: &Reading) -> Result<String, RenderError> {
    let mut text = serde_json::to_string_pretty(reading)?;
    text.push('\n');
    Ok(text)
}

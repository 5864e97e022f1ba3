//! The summary as JSON. Its schema is `docs/schema/gc.json`.

use tacho_gc_log::GcSummary;
use tacho_report::RenderError;

/// Indented JSON, ending in a newline.
///
/// # Errors
/// When a value cannot be written as JSON.
pub fn render(summary: &GcSummary) -> Result<String, RenderError> {
    let mut text = serde_json::to_string_pretty(summary)?;
    text.push('\n');
    Ok(text)
}

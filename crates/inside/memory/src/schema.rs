//! The JSON Schema of `tacho memory --json`, made from the type that writes it.

use crate::Memory;
use schemars::schema_for;

/// The text of `docs/schema/memory.json`, ending in a newline.
///
/// # Errors
/// When the schema cannot be written as JSON.
pub fn schema() -> serde_json::Result<String> {
    let mut text = serde_json::to_string_pretty(&schema_for!(Memory))?;
    text.push('\n');
    Ok(text)
}

//! The JSON Schema of every JSON file in a run folder, made from the types that write them.

use crate::ReportError;
use schemars::{JsonSchema, schema_for};
use tacho_run_folder::{
    Diagnosis, Dissection, LaunchRecord, Plan, PreparedVariant, Results, RunHeader,
};

/// A published schema, and the name of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaFile {
    /// File below `docs/schema/`.
    pub name: &'static str,
    /// Its text, ending in a newline.
    pub text: String,
}

/// All of them, by the name of the file that they describe.
///
/// # Errors
/// When a schema cannot be written as JSON.
pub fn all() -> Result<Vec<SchemaFile>, ReportError> {
    Ok(vec![
        file::<RunHeader>("run.json")?,
        file::<Plan>("plan.json")?,
        file::<PreparedVariant>("variant.json")?,
        file::<LaunchRecord>("launch.json")?,
        file::<Diagnosis>("diagnosis.json")?,
        file::<Dissection>("dissection.json")?,
        file::<Results>("results.json")?,
    ])
}

fn file<T: JsonSchema>(name: &'static str) -> Result<SchemaFile, ReportError> {
    let mut text = serde_json::to_string_pretty(&schema_for!(T))?;
    text.push('\n');
    Ok(SchemaFile { name, text })
}

//! `tacho schema`.

use crate::arguments::Schema;
use crate::error::Error;
use crate::exit::Exit;
use crate::{Done, print};

/// Prints the JSON Schema of a file of the run folder.
pub fn schema(arguments: &Schema) -> Done {
    let wanted = arguments.file.trim_end_matches(".json");
    let all = tacho_report::schema::all()?;
    let schema = all
        .iter()
        .find(|schema| schema.name.starts_with(&format!("{wanted}.")))
        .ok_or_else(|| Error::NoSchema(arguments.file.clone()))?;
    print(&schema.text)?;
    Ok(Exit::Done)
}

//! `tacho schema`.

use crate::arguments::Schema;
use crate::error::Error;
use crate::exit::Exit;
use crate::load::error::LoadCommandError;
use crate::{Done, print};

/// Prints the JSON Schema of a file of the run folder, or of what `tacho load`, `tacho fit`, `tacho gc` and `tacho memory` write.
pub fn schema(arguments: &Schema) -> Done {
    let wanted = arguments.file.trim_end_matches(".json");
    if wanted == "load" {
        let text = tacho_load_report::schema::render().map_err(LoadCommandError::from)?;
        print(&text)?;
        return Ok(Exit::Done);
    }
    if wanted == "fit" {
        print(&tacho_fit::schema().map_err(tacho_report::ReportError::from)?)?;
        return Ok(Exit::Done);
    }
    if wanted == "memory" {
        print(&tacho_memory::schema().map_err(tacho_report::ReportError::from)?)?;
        return Ok(Exit::Done);
    }
    if wanted == "gc" {
        print(&tacho_gc_report::schema::render()?)?;
        return Ok(Exit::Done);
    }
    if wanted == "warm" {
        print(&tacho_warm_up::schema().map_err(tacho_report::ReportError::from)?)?;
        return Ok(Exit::Done);
    }
    let all = tacho_report::schema::all()?;
    let schema = all
        .iter()
        .find(|schema| schema.name.starts_with(&format!("{wanted}.")))
        .ok_or_else(|| Error::NoSchema(arguments.file.clone()))?;
    print(&schema.text)?;
    Ok(Exit::Done)
}

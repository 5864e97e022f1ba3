//! `tacho schema`.

use crate::arguments::Schema;
use crate::error::Error;
use crate::exit::Exit;
use crate::load::error::LoadCommandError;
use crate::{Done, print};
use tacho_report::ReportError;

/// Prints the JSON Schema of an experiment, of a file of the run folder, or of what `tacho load`,
/// `tacho claims`, `tacho diagnose`, `tacho fit`, `tacho gc`, `tacho image`, `tacho memory`,
/// `tacho rollout` and `tacho warm` write.
pub fn schema(arguments: &Schema) -> Done {
    let wanted = arguments.file.trim_end_matches(".json");
    let text = match wanted {
        "experiment" => tacho_experiment::schema::render().map_err(ReportError::from)?,
        "load" => tacho_load_report::schema::render().map_err(LoadCommandError::from)?,
        "claims" => tacho_claims_report::schema()?,
        "diagnose" => tacho_diagnosis_report::schema().map_err(ReportError::from)?,
        "fit" => tacho_fit::schema().map_err(ReportError::from)?,
        "memory" => tacho_memory::schema().map_err(ReportError::from)?,
        "image" => tacho_image_report::schema()?,
        "rollout" => tacho_rollout_report::schema()?,
        "gc" => tacho_gc_report::schema::render()?,
        "gc-two" => tacho_gc_report::schema::render_two()?,
        "warm" => tacho_warm_up::schema().map_err(ReportError::from)?,
        _ => of_run_folder(wanted, &arguments.file)?,
    };
    print(&text)?;
    Ok(Exit::Done)
}

fn of_run_folder(wanted: &str, asked: &str) -> Result<String, Error> {
    tacho_report::schema::all()?
        .into_iter()
        .find(|schema| schema.name.starts_with(&format!("{wanted}.")))
        .map(|schema| schema.text)
        .ok_or_else(|| Error::NoSchema(asked.to_owned()))
}

//! This program as an image: for pods that are workers of a load, or carry out a run.

use crate::error::Error;
use crate::load::error::LoadCommandError;
use std::path::Path;
use tacho_oci::{Image, SourceDate};
use tacho_runner::{ImageSpec, Stop, Surroundings};
use tacho_subject::Source;

/// Includes the libraries that this program is linked with. The layers stay below the folder until
/// they have been handed over.
pub fn own_image(scratch: &Path) -> Result<Image, Error> {
    let tacho = std::env::current_exe().map_err(LoadCommandError::NoProgram)?;
    let surroundings = Surroundings::here();
    let mut source = Source::read(&tacho, None, &surroundings)?;
    source.plain_alone();
    let scratch = std::fs::canonicalize(scratch).unwrap_or_else(|_| scratch.to_owned());
    let made = tacho_runner::image(
        ImageSpec {
            experiment: &source.experiment,
            folder: &source.base,
            base: None,
            date: SourceDate::default(),
            scratch: &scratch,
        },
        &surroundings,
        &Stop::new(),
        tacho_progress::listener(true).as_mut(),
    )?;
    Ok(made.image)
}

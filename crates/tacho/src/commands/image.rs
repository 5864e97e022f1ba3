//! `tacho image`.

use super::run::{Source, apply};
use crate::Done;
use crate::arguments::{Image, Overrides};
use crate::error::Error;
use crate::exit::Exit;
use crate::output::{self, Unwritten};
use crate::signals::stop_on_signals;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use tacho_figures::{bytes, seconds};
use tacho_image_report::{Report, render};
use tacho_oci::{SourceDate, layout};
use tacho_registry::{Name, Pushed};
use tacho_runner::{ImageSpec, RunError, Surroundings};
use tempfile::TempDir;

/// Puts one variant into an OCI image.
pub fn image(arguments: &Image) -> Done {
    let surroundings = Surroundings::here();
    let jdk = arguments.jdk.as_deref();
    let mut source = Source::read(&arguments.subject, jdk, &surroundings)?;
    if arguments.variant.is_none() {
        source.plain_alone();
    }
    let overrides = Overrides {
        variants: arguments.variant.clone().into_iter().collect(),
        jdk: arguments.jdk.clone(),
        port: arguments.port,
        ..Overrides::default()
    };
    apply(&overrides, &mut source)?;
    let stop = stop_on_signals()?;
    let mut listener = tacho_progress::listener(arguments.quiet);
    let scratch = scratch_for(arguments.output.as_deref())?;
    let made = tacho_runner::image(
        ImageSpec {
            experiment: &source.experiment,
            folder: &source.base,
            base: arguments.base.as_deref(),
            date: arguments
                .source_date
                .map_or_else(SourceDate::default, SourceDate),
            scratch: scratch.path(),
        },
        &surroundings,
        &stop,
        listener.as_mut(),
    )?;
    drop(listener);
    let mut written = String::new();
    if let Some(path) = &arguments.output {
        write(&made.image, path, arguments.name.as_deref())?;
        written += &format!("\n{} is written.\n", path.display());
    }
    if let Some(name) = &arguments.push {
        let pushed = tacho_registry::push(name, &made.image, arguments.plain_http, stop.flag())?;
        written += &told(name, &pushed);
    }
    let report = Report::new(&made.variant, &made.kind, &made.image, made.notes);
    let mut unwritten = Unwritten::default();
    unwritten.take(output::json_or_summary(
        arguments.json.as_deref(),
        || output::pretty(&report),
        || render(&report, &output::style()) + &written,
    ));
    unwritten.or(Exit::Done)
}

fn told(name: &Name, pushed: &Pushed) -> String {
    format!(
        "\n{name} is pushed in {}: {} sent, {} there already.\n{}\n",
        seconds(pushed.took_s),
        bytes(pushed.sent_bytes as f64),
        bytes(pushed.there_bytes as f64),
        name.by_digest(&pushed.digest)
    )
}

/// A temporary folder beside the image, where there has to be room anyway; removed at the end.
fn scratch_for(output: Option<&Path>) -> Result<TempDir, Error> {
    let temporary = std::env::temp_dir();
    let output = output.map_or_else(|| temporary.join("image"), Path::to_owned);
    let folder = output.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    let folder = std::fs::canonicalize(folder);
    folder
        .and_then(|folder| {
            tempfile::Builder::new()
                .prefix(".tacho-image-")
                .tempdir_in(folder)
        })
        .map_err(|source| Error::Write {
            path: output.clone(),
            source,
        })
}

fn write(image: &tacho_oci::Image, path: &Path, name: Option<&str>) -> Result<(), Error> {
    let failed = |source| Error::Write {
        path: path.to_owned(),
        source,
    };
    let mut failure = None;
    let written = tacho_files::write_where_asked_with(path, |file: &mut File| {
        let mut out = BufWriter::new(file);
        if let Err(error) = layout::write(image, name, &mut out) {
            failure = Some(error);
            return Err(std::io::Error::other("not written"));
        }
        out.flush()
    });
    if let Some(error) = failure {
        return Err(RunError::from(tacho_image::ImageError::from(error)).into());
    }
    written.map_err(failed)
}

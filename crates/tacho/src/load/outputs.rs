//! Everything that is written when the load is over.

use super::arguments::Output;
use super::error::LoadCommandError as Error;
use crate::output::Unwritten;
use crate::{output, print};
use std::fs::File;
use std::path::PathBuf;
use tacho_load::recorder::Files;
use tacho_load_report::{LoadRun, csv, json, junit, markdown, prometheus, text};

/// Writes what was asked for. The summary goes to standard output, unless one of the formats does.
pub fn write(
    run: &LoadRun,
    output: &Output,
    files: &Files,
    started_at: &str,
) -> Result<(), crate::error::Error> {
    let mut to_stdout = false;
    // One that cannot be written keeps none of the others from it.
    let mut unwritten = Unwritten::default();
    let mut one = |path: &Option<PathBuf>, render: &dyn Fn() -> Result<Vec<u8>, Error>| {
        let Some(path) = path else {
            return;
        };
        to_stdout |= output::is_stdout(path);
        let written = match render() {
            Ok(bytes) if output::is_stdout(path) => print(&String::from_utf8_lossy(&bytes)),
            Ok(bytes) => output::write(path, bytes),
            Err(error) => Err(error.into()),
        };
        unwritten.take(written);
    };
    one(
        &output.json,
        &|| Ok(json::render(&run.report)?.into_bytes()),
    );
    one(&output.csv, &|| {
        let mut bytes = Vec::new();
        csv::write(&files.histograms, &mut bytes)?;
        Ok(bytes)
    });
    one(&output.hlog, &|| {
        tacho_files::read(&files.histograms).map_err(|source| Error::Read {
            path: files.histograms.clone(),
            source,
        })
    });
    one(&output.prometheus, &|| {
        Ok(prometheus::render(run).into_bytes())
    });
    one(&output.junit, &|| {
        Ok(junit::render(&run.report, started_at).into_bytes())
    });
    one(&output.markdown, &|| {
        Ok(markdown::render(&run.report).into_bytes())
    });
    if !to_stdout {
        unwritten.take(print(&text::render(run, &output::style())));
    }
    unwritten.or(())
}

/// Whether every file can be written, to be asked before anything is sent: a load may take hours.
pub fn check(output: &Output) -> Result<(), Error> {
    let files = [
        &output.json,
        &output.csv,
        &output.hlog,
        &output.prometheus,
        &output.junit,
        &output.markdown,
    ];
    let named = files.into_iter().flatten();
    for path in named.filter(|path| !output::is_stdout(path)) {
        // A pipe would wait for its reader.
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            continue;
        }
        let is_new = !path.exists();
        File::options()
            .append(true)
            .create(true)
            .open(path)
            .map_err(|source| Error::Write {
                path: path.clone(),
                source,
            })?;
        if is_new {
            // Nobody should find an empty result when the load does not come to its end.
            let _ = std::fs::remove_file(path);
        }
    }
    Ok(())
}

//! Everything that is written when the load is over.

use super::arguments::Output;
use super::error::LoadCommandError as Error;
use super::run::Files;
use crate::print;
use anstream::AutoStream;
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;
use tacho_load_report::text::Style;
use tacho_load_report::{LoadRun, csv, json, junit, markdown, prometheus, text};

/// Writes what was asked for. The summary goes to standard output, unless one of the formats does.
pub fn write(
    run: &LoadRun,
    output: &Output,
    files: &Files,
    started_at: &str,
) -> Result<(), crate::error::Error> {
    let mut to_stdout = false;
    let mut one = |path: &Option<std::path::PathBuf>,
                   render: &dyn Fn() -> Result<Vec<u8>, Error>| {
        let Some(path) = path else {
            return Ok(());
        };
        let bytes = render()?;
        if path.as_os_str() == "-" {
            to_stdout = true;
            return print(&String::from_utf8_lossy(&bytes));
        }
        write_file(path, &bytes).map_err(crate::error::Error::from)
    };
    one(
        &output.json,
        &|| Ok(json::render(&run.report)?.into_bytes()),
    )?;
    one(&output.csv, &|| {
        let mut bytes = Vec::new();
        csv::write(&files.histograms, &mut bytes)?;
        Ok(bytes)
    })?;
    one(&output.hlog, &|| {
        std::fs::read(&files.histograms).map_err(|source| Error::Read {
            path: files.histograms.clone(),
            source,
        })
    })?;
    one(&output.prometheus, &|| {
        Ok(prometheus::render(run).into_bytes())
    })?;
    one(&output.junit, &|| {
        Ok(junit::render(&run.report, started_at).into_bytes())
    })?;
    one(&output.markdown, &|| {
        Ok(markdown::render(&run.report).into_bytes())
    })?;
    if !to_stdout {
        print(&text::render(run, &style()))?;
    }
    Ok(())
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
    for path in named.filter(|path| path.as_os_str() != "-") {
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

fn style() -> Style {
    let stdout = std::io::stdout();
    let choice = AutoStream::choice(&stdout);
    let width = stdout
        .is_terminal()
        .then(|| rustix::termios::tcgetwinsize(&stdout).ok())
        .flatten()
        .map_or(100, |size| usize::from(size.ws_col));
    Style {
        colour: choice != anstream::ColorChoice::Never,
        width: if width == 0 { 100 } else { width },
    }
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    File::create(path)
        .and_then(|file| {
            let mut file = BufWriter::new(file);
            file.write_all(bytes)?;
            file.flush()
        })
        .map_err(|source| Error::Write {
            path: path.to_owned(),
            source,
        })
}

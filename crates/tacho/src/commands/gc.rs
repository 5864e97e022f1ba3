//! `tacho gc`.

use crate::arguments::Gc;
use crate::error::Error;
use crate::exit::Exit;
use crate::{Done, print};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use tacho_gc_log::{Event, GcLogError, GcSummary, Log, Summary, in_order};
use tacho_gc_report::{html, json, text};

/// Reads garbage collection logs and says what they add up to.
pub fn gc(arguments: &Gc) -> Done {
    let summary = read(&arguments.logs)?;
    if let Some(path) = &arguments.html {
        write(path, &html::render(&summary)?)?;
    }
    let to_stdout = arguments.json.as_deref() == Some(Path::new("-"));
    if let Some(path) = &arguments.json {
        let text = json::render(&summary)?;
        if to_stdout {
            print(&text)?;
        } else {
            write(path, &text)?;
        }
    }
    if !to_stdout {
        print(&text::render(&summary, &style()))?;
    }
    Ok(if summary.lines.events == 0 {
        Exit::Invalid
    } else {
        Exit::Done
    })
}

fn read(logs: &[PathBuf]) -> Result<GcSummary, Error> {
    let mut log = Log::default();
    let mut summary = Summary::default();
    let mut take = |event: &Event<'_>| summary.take(event);
    let is_stdin = |path: &PathBuf| path.as_os_str() == "-";
    let logs = if logs.iter().any(is_stdin) {
        logs.to_vec()
    } else {
        in_order(logs)?
    };
    for path in &logs {
        if is_stdin(path) {
            log.read(std::io::stdin().lock(), &mut take)
                .map_err(|source| GcLogError::Read {
                    path: path.clone(),
                    source,
                })?;
        } else {
            log.read_file(path, &mut take)?;
        }
    }
    let lines = log.end(&mut take);
    let names = logs.iter().map(|path| path.display().to_string());
    Ok(summary.finish(names.collect(), lines))
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|source| Error::Write {
        path: path.to_owned(),
        source,
    })
}

fn style() -> text::Style {
    let stdout = std::io::stdout();
    let width = stdout
        .is_terminal()
        .then(|| rustix::termios::tcgetwinsize(&stdout).ok())
        .flatten()
        .map(|size| usize::from(size.ws_col))
        .filter(|columns| *columns > 0);
    text::Style {
        colour: anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never,
        width: width.unwrap_or(100),
    }
}

//! `tacho gc`.

use crate::arguments::Gc;
use crate::error::Error;
use crate::exit::Exit;
use crate::output::Unwritten;
use crate::{Done, output};
use std::path::PathBuf;
use tacho_gc_log::{Event, GcLogError, GcSummary, Log, Summary, in_order};
use tacho_gc_report::{html, json, text};

/// Reads garbage collection logs and says what they add up to.
pub fn gc(arguments: &Gc) -> Done {
    let summary = read(&arguments.logs)?;
    let mut unwritten = Unwritten::default();
    if let Some(path) = &arguments.html {
        let page = html::render(&summary)?;
        unwritten.take(output::write_as_it_is(path, page.as_bytes()));
    }
    unwritten.take(output::json_or_summary(
        arguments.json.as_deref(),
        || json::render(&summary),
        || text::render(&summary, &output::style()),
    ));
    unwritten.or(match summary.lines.events {
        0 => Exit::Invalid,
        _ => Exit::Done,
    })
}

fn read(logs: &[PathBuf]) -> Result<GcSummary, Error> {
    let mut log = Log::default();
    let mut summary = Summary::default();
    let mut take = |event: &Event<'_>| summary.take(event);
    let is_stdin = |path: &PathBuf| path.as_os_str() == "-";
    let logs = match logs.iter().any(is_stdin) {
        true => logs.to_vec(),
        false => in_order(logs)?,
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

//! curl command lines: one or many, as typed, from a script, or copied from a browser.

mod arguments;
mod data;
mod draft;
mod form;
mod option_lists;
mod options;
mod words;
#[cfg(test)]
mod words_tests;

use crate::allowance::Allowance;
use crate::error::{self, ImportError};
use crate::imported::{Connection, Imported};
use crate::note::{Notes, shorten};
use crate::origin::OneOrigin;
use draft::Draft;
use std::collections::BTreeSet;
use std::path::Path;
use tacho_workload::{Scenario, Workload};
use words::{Command, Word};

/// Scripts are written by hand; large bodies stand in files.
const LARGEST: usize = 8 << 20;

/// Reads all curl commands of a script.
pub(crate) fn read(input: &[u8], base_dir: &Path) -> Result<Imported, ImportError> {
    let text = error::text(input, LARGEST)?;
    let mut notes = Notes::default();
    let mut drafts = Vec::new();
    for command in words::commands(text.as_bytes()) {
        let command = command?;
        match curl_arguments(&command) {
            Some(words) => {
                refuse_cmd(words)?;
                drafts.extend(arguments::read(words, base_dir, &mut notes)?);
            }
            None => note_other_command(&command, &mut notes),
        }
    }
    to_imported(drafts, notes)
}

fn to_imported(drafts: Vec<Draft>, mut notes: Notes) -> Result<Imported, ImportError> {
    let mut origins = OneOrigin::default();
    let mut allowance = Allowance::default();
    let mut workload = Workload::default();
    let mut connection: Option<Connection> = None;
    let mut following = BTreeSet::new();
    for draft in drafts {
        agree(&mut connection, &draft, &mut notes);
        following.insert(draft.redirects());
        workload.redirects = workload.redirects.max(draft.redirects());
        workload.cookies |= draft.keeps_cookies;
        let steps = draft.into_steps(&mut origins, &mut allowance, &mut notes)?;
        workload
            .scenarios
            .extend(steps.into_iter().map(Scenario::of));
    }
    if workload.scenarios.is_empty() {
        return Err(ImportError::Nothing {
            hint: "a command line is written as `curl http://127.0.0.1:8080/path`",
        });
    }
    if following.len() > 1 {
        notes.add(
            "the commands",
            format!(
                "some follow more redirects (-L) than others; here all follow up to {}",
                workload.redirects
            ),
        );
    }
    let connection = connection.unwrap_or_default();
    if connection.insecure {
        notes.add(
            "the commands",
            "curl is told not to check certificates (-k); Tacho checks them unless it is told so itself (--insecure)",
        );
    }
    Ok(Imported {
        origin: origins.finish()?,
        workload,
        connection,
        notes: notes.finish(),
        ..Imported::default()
    })
}

/// All requests of a run share their connections.
fn agree(connection: &mut Option<Connection>, draft: &Draft, notes: &mut Notes) {
    match connection {
        None => *connection = Some(draft.connection.clone()),
        Some(first) if *first == draft.connection => {}
        Some(_) => notes.add(
            draft.place(),
            "connects in another way than the first command (certificates, timeouts, version of HTTP); all requests connect as the first one does",
        ),
    }
}

/// What follows the word `curl`, when the command is one of curl's.
fn curl_arguments(command: &Command) -> Option<&[Word]> {
    let before = command
        .words
        .iter()
        .take_while(|word| is_prefix(word))
        .count();
    let (name, arguments) = command.words.get(before..)?.split_first()?;
    let name = String::from_utf8_lossy(&name.bytes);
    let name = name.rsplit(['/', '\\']).next()?;
    matches!(name, "curl" | "curl.exe").then_some(arguments)
}

/// `NAME=value`, `time`, a `$` that was copied together with the command.
fn is_prefix(word: &Word) -> bool {
    let text = String::from_utf8_lossy(&word.bytes);
    let is_assignment = text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    });
    is_assignment
        || matches!(
            text.as_ref(),
            "$" | "%" | ">" | "time" | "sudo" | "exec" | "command"
        )
}

fn note_other_command(command: &Command, notes: &mut Notes) {
    if let Some(word) = command.words.first() {
        let name = String::from_utf8_lossy(&word.bytes);
        notes.add(
            format!("line {}", word.line),
            format!("`{}` is not curl; left out", shorten(&name, 60)),
        );
    }
}

/// Browsers on Windows offer two kinds of "copy as cURL".
fn refuse_cmd(words: &[Word]) -> Result<(), ImportError> {
    // The URL is quoted as `^"http:..^"`; any other word may well begin with a caret.
    let is_cmd = words.iter().any(|word| word.bytes.starts_with(b"^http"));
    if is_cmd {
        return Err(ImportError::Unsupported {
            what: "this is a command line for the Windows command prompt, quoted with ^",
            way_out: "copy it as cURL (bash)",
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests;

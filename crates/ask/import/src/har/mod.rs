//! HAR files, as browsers and proxies export them: the requests of a page to its server, as one
//! scenario of a user. <http://www.softwareishard.com/blog/har-12-spec/>
//!
//! Requests that no server saw are not sent (answers from a cache, blocked requests). Neither are
//! requests that would do something else than what was recorded (their body is not in the file).
//! Each hop of a redirect has an entry of its own, so redirects are not followed.

mod body;
mod cookies;
mod entry;
mod file;
#[cfg(test)]
mod tests;

use crate::allowance::Allowance;
use crate::error::{self, ImportError};
use crate::imported::Imported;
use crate::note::Notes;
use crate::origin::Origin;
use crate::{MAX_INPUT_BYTES, template::literal};
use cookies::Jar;
use entry::{Sent, sent};
use file::{Entry, File};
use jiff::Timestamp;
use std::path::Path;
use tacho_workload::{Scenario, Workload};

/// What is known beside the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HarOptions {
    /// Where the requests go in place of the recorded host: that of the first one that is sent.
    pub base: Option<Origin>,
}

/// Reads a HAR file.
///
/// # Errors
/// When it is none, has nothing that a server saw, or describes too much.
pub fn read_har(
    input: &[u8],
    base_dir: &Path,
    options: &HarOptions,
) -> Result<Imported, ImportError> {
    let text = error::text(input, MAX_INPUT_BYTES)?;
    if text.trim().is_empty() {
        return Err(ImportError::Empty {
            what: "the HAR file",
            way_out: "export the recording again (\"Save all as HAR\" in the network tab of a browser's developer tools)",
        });
    }
    let file: File = serde_json::from_str(text).map_err(|error| ImportError::Syntax {
        line: error.line() as u64,
        format: "a HAR file",
        problem: error.to_string(),
    })?;
    let mut notes = Notes::default();
    let mut all = Vec::new();
    for (number, entry) in in_time(&file.log.entries) {
        let place = place(number, entry);
        match sent(entry, base_dir, &mut notes, &place) {
            Ok(one) => all.push(Asked { place, entry, one }),
            Err(reason) => notes.add(&place, format_args!("left out: {reason}")),
        }
    }
    let recorded = match &options.base {
        Some(_) => all.first().map(|asked| asked.one.origin.clone()),
        None => most_asked(&all),
    };
    let Some(recorded) = recorded else {
        return Err(ImportError::Nothing {
            hint: "no entry of the recording is a request that a server has answered, with all that was sent",
        });
    };
    let mut allowance = Allowance::default();
    let mut steps = Vec::new();
    // Only of answers to what is sent: nobody else sets the cookies of the others.
    let mut jar = Jar::default();
    let mut cookies_left_out = false;
    for Asked { place, entry, one } in all {
        if one.origin != recorded {
            notes.add(&place, stranger(&recorded, &one.origin));
            continue;
        }
        let Sent {
            mut step, cookies, ..
        } = one;
        let cookies = jar.kept_of(&cookies);
        jar.learn(entry);
        if !cookies.is_empty() {
            if options.base.is_none() {
                step.headers.push(("Cookie".to_owned(), literal(&cookies)));
            }
            cookies_left_out |= options.base.is_some();
        }
        allowance.take_step(&step, &place)?;
        steps.push(step);
    }
    if cookies_left_out {
        notes.add(
            "the recording",
            format_args!(
                "its cookies are of {recorded} and are not sent to another host; those that answers set are kept for each user"
            ),
        );
    }
    note_what_is_missing(&file, &mut notes);
    Ok(Imported {
        origin: Some(options.base.clone().unwrap_or(recorded)),
        workload: Workload {
            scenarios: vec![Scenario {
                name: "the recording".to_owned(),
                weight: 1.0,
                steps,
            }],
            cookies: jar.is_used(),
            ..Workload::default()
        },
        notes: notes.finish(),
        ..Imported::default()
    })
}

/// A request that a server has answered.
struct Asked<'a> {
    place: String,
    entry: &'a Entry,
    one: Sent,
}

/// Entries with their numbers, in the order in which they began; the file may have another one.
fn in_time(entries: &[Entry]) -> Vec<(usize, &Entry)> {
    let began = |entry: &Entry| {
        let time = entry.started_date_time.as_deref();
        time.and_then(|time| time.parse::<Timestamp>().ok())
    };
    let mut all: Vec<(usize, &Entry)> = entries.iter().enumerate().collect();
    // An entry without a time stays behind the one before it.
    let mut last = None;
    let mut keys: Vec<Option<Timestamp>> = Vec::with_capacity(all.len());
    for (_, entry) in &all {
        last = began(entry).or(last);
        keys.push(last);
    }
    all.sort_by_key(|(number, _)| keys[*number]);
    all
}

/// Without the query, which may hold secrets.
fn place(number: usize, entry: &Entry) -> String {
    let url = &entry.request.url;
    let shown = match url.find(['?', '#', ',']) {
        Some(end) => &url[..end],
        None => url,
    };
    format!("log.entries[{number}] {} {shown}", entry.request.method)
}

/// The origin of most requests; of several, the first one.
fn most_asked(all: &[Asked<'_>]) -> Option<Origin> {
    let mut counted: Vec<(&Origin, usize)> = Vec::new();
    for Asked { one, .. } in all {
        match counted
            .iter_mut()
            .find(|(origin, _)| **origin == one.origin)
        {
            Some((_, count)) => *count += 1,
            None => counted.push((&one.origin, 1)),
        }
    }
    let most = counted.iter().map(|(_, count)| *count).max()?;
    let found = counted.into_iter().find(|(_, count)| *count == most);
    found.map(|(origin, _)| origin.clone())
}

fn stranger(recorded: &Origin, other: &Origin) -> String {
    format!(
        "left out: {other} is another host than {recorded}, and a run has one; its owner may not have asked for load"
    )
}

/// Chrome leaves the cookies and the authorization out unless it is told otherwise.
fn note_what_is_missing(file: &File, notes: &mut Notes) {
    let is_chrome = file
        .log
        .creator
        .as_ref()
        .is_some_and(|c| c.name == "WebInspector");
    let is_secret = |name: &str| {
        name.eq_ignore_ascii_case("cookie") || name.eq_ignore_ascii_case("authorization")
    };
    let mut headers = file
        .log
        .entries
        .iter()
        .flat_map(|entry| &entry.request.headers);
    if is_chrome && !headers.any(|header| is_secret(&header.name)) {
        notes.add(
            "the recording",
            "no request has a cookie or an Authorization header: Chrome may have left them out. If the service refuses the requests, export them with sensitive data (a setting of its developer tools)",
        );
    }
}

//! Targets that are sent in their order, as vegeta sends them.

use super::{Listed, Source, Streamed, StreamedRequest, Streaming};
use crate::request::{Endpoint, Message, Rendered, RequestError, UrlError};
use crate::transport::Keep;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use tacho_import::{Target, TargetError, TargetSyntax, Targets, base_of};
use tacho_workload::Body;

/// Targets that cannot be sent.
#[derive(Debug, thiserror::Error)]
pub enum TargetsError {
    /// A file could not be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// File that could not be read.
        path: PathBuf,
        /// Why the system refused.
        source: io::Error,
    },
    /// A target that the source holds at its beginning.
    #[error("the targets: {0}")]
    Target(#[from] TargetError),
    /// A field that vegeta does not have and passes over without a word, although it seems to say
    /// what is sent.
    #[error(
        "line {line}: vegeta has no field `{field}`; its fields are `method`, `url`, `header` and `body`"
    )]
    UnknownField {
        /// Line of the targets, counted from 1.
        line: u64,
        /// As it is written.
        field: String,
    },
    /// The URL of one.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// The request of one.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// A target goes elsewhere than the load.
    #[error(
        "line {line} goes to {there}, the load to {here}; a run has one origin: load the others by themselves, or write the path alone (`GET /users`), which goes where the load goes"
    )]
    OtherOrigin {
        /// Line of the targets, counted from 1.
        line: u64,
        /// Of the target.
        there: String,
        /// Of the run.
        here: String,
    },
    /// No target at all.
    #[error("the targets are empty; give at least one, such as `GET http://localhost:8080/ping`")]
    None,
}

fn unreadable(path: &Path, source: io::Error) -> TargetsError {
    TargetsError::Read {
        path: path.to_owned(),
        source,
    }
}

/// A file of at most so many bytes is read before the clock starts and sent over and over, as
/// vegeta does; what is larger, or comes from standard input, is read while it is sent.
const WHOLE_BYTES: u64 = 16 << 20;
/// So many kinds are told apart by method and path; the others are counted together.
const KINDS: usize = 100;
/// Secrets in the headers of this many first targets are masked in all output. Of later targets
/// only method and path are written.
const LEARNT_LINES: u64 = 1_000;
/// So many targets are read ahead.
const AHEAD: usize = 1024;

/// The source for a file, or for standard input (`-`). Each request gets the headers, in place
/// of its own of the same names, as by vegeta's `-header`.
///
/// # Errors
/// When the file cannot be read, or what it says cannot be sent to the endpoint.
pub fn targets(
    path: &Path,
    syntax: TargetSyntax,
    endpoint: &Endpoint,
    headers: &[(String, String)],
) -> Result<Box<dyn Source>, TargetsError> {
    let base = base_of(path);
    let mut maker = Maker::new(endpoint, headers);
    if path.as_os_str() == "-" {
        let input = BufReader::new(std::io::stdin());
        return streamed(input, syntax, &base, maker);
    }
    let file = File::open(path).map_err(|source| unreadable(path, source))?;
    let metadata = file.metadata().map_err(|source| unreadable(path, source))?;
    let input = BufReader::new(file);
    if !metadata.is_file() || metadata.len() > WHOLE_BYTES {
        return streamed(input, syntax, &base, maker);
    }
    let mut requests = Vec::new();
    for target in Targets::new(input, syntax, &base) {
        requests.push(maker.make(target?)?);
    }
    if requests.is_empty() {
        return Err(TargetsError::None);
    }
    Ok(Box::new(Listed::new(maker.names, requests, false)))
}

/// Gives a request these headers; its own of the same names go.
pub fn replace_headers(of: &mut Vec<(String, String)>, by: &[(String, String)]) {
    of.retain(|(name, _)| !by.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)));
    of.extend_from_slice(by);
}

/// Reads on a thread of its own while the load goes on.
fn streamed(
    input: impl BufRead + Send + 'static,
    syntax: TargetSyntax,
    base: &Path,
    mut maker: Maker,
) -> Result<Box<dyn Source>, TargetsError> {
    let (to_load, requests) = sync_channel(AHEAD);
    let base = base.to_owned();
    std::thread::Builder::new()
        .name("tacho-targets".to_owned())
        .spawn(move || {
            pass_on(Targets::new(input, syntax, &base), &mut maker, &to_load);
        })
        .map_err(|source| unreadable(Path::new("-"), source))?;
    Ok(Box::new(Streamed::new(KINDS as u32, requests)))
}

fn pass_on<R: BufRead>(targets: Targets<R>, maker: &mut Maker, to_load: &SyncSender<Streaming>) {
    let mut told = 0;
    for target in targets {
        let made = match target {
            Ok(target) => maker.make(target).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let made = made.map(|(kind, request)| {
            // Kinds are numbered as they come: the next number is a new one.
            let name = maker.names.get(told).filter(|_| kind as usize == told);
            let name = name.cloned();
            told += usize::from(name.is_some());
            StreamedRequest {
                kind,
                name,
                request,
            }
        });
        // The load is over.
        if to_load.send(made).is_err() {
            return;
        }
    }
}

/// Makes requests of targets.
struct Maker {
    endpoint: Endpoint,
    /// Of every request, in place of its own of the same name.
    headers: Vec<(String, String)>,
    names: Vec<String>,
    kinds: HashMap<String, u32>,
}

impl Maker {
    fn new(endpoint: &Endpoint, headers: &[(String, String)]) -> Self {
        Self {
            endpoint: endpoint.clone(),
            headers: headers.to_vec(),
            names: Vec::new(),
            kinds: HashMap::new(),
        }
    }

    fn make(&mut self, mut target: Target) -> Result<(u32, Arc<Rendered>), TargetsError> {
        if let Some(field) = target.misnamed() {
            return Err(TargetsError::UnknownField {
                line: target.line,
                field: field.to_owned(),
            });
        }
        replace_headers(&mut target.headers, &self.headers);
        if target.line <= LEARNT_LINES {
            let headers = target.headers.iter();
            tacho_masking::teach(|masking| {
                masking.learn_pairs(headers.map(|(name, value)| (name.as_str(), value.as_str())));
            });
        }
        if let Some(origin) = &target.origin {
            let there = origin.to_string();
            let (other, _) = Endpoint::parse_url(&there)?;
            if (other.scheme(), &other.address) != (self.endpoint.scheme(), &self.endpoint.address)
            {
                return Err(TargetsError::OtherOrigin {
                    line: target.line,
                    there,
                    here: self.endpoint.origin().to_string(),
                });
            }
        }
        let path = target
            .path
            .split_once('?')
            .map_or(&*target.path, |(path, _)| path);
        let name = tacho_masking::current().text(&format!("{} {path}", target.method));
        let body = match target.body {
            Body::Bytes(bytes) => bytes,
            Body::File(file) => tacho_files::input::read(&file, tacho_files::input::BODY)
                .map_err(|source| unreadable(&file, source))?,
            _ => Vec::new(),
        };
        let message = Message {
            name: &name,
            method: &target.method,
            path: &target.path,
            headers: &target.headers,
            body: &body,
        };
        let request = Rendered::new(&message, &self.endpoint, Keep::Nothing)?;
        Ok((self.kind(name), Arc::new(request)))
    }

    fn kind(&mut self, name: String) -> u32 {
        if let Some(kind) = self.kinds.get(&name) {
            return *kind;
        }
        if self.names.len() >= KINDS {
            if self.names.len() == KINDS {
                self.names.push("others".to_owned());
            }
            return KINDS as u32;
        }
        let kind = self.names.len() as u32;
        self.names.push(name.clone());
        self.kinds.insert(name, kind);
        kind
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_with_a_field_that_seems_to_say_what_is_sent_is_refused() {
        let list = concat!(
            r#"{"method":"GET","url":"/","header":{"A":["b"]},"body":"","id":7}"#,
            "\n",
            r#"{"method":"GET","url":"/","headers":{"A":["b"]}}"#,
        );
        let mut maker = Maker::new(&Endpoint::new(([127, 0, 0, 1], 9).into()), &[]);
        let made = Targets::new(list.as_bytes(), TargetSyntax::Json, Path::new("."))
            .map(|target| maker.make(target.unwrap()).map(|_| ()));
        let told: Vec<String> = made
            .map(|made| made.map_or_else(|error| error.to_string(), |()| "made".to_owned()))
            .collect();
        assert_eq!(
            told,
            [
                "made",
                "line 2: vegeta has no field `headers`; its fields are `method`, `url`, `header` and `body`"
            ]
        );
    }

    #[test]
    fn a_header_stands_in_place_of_those_of_its_name_and_beside_the_others() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let mut headers = vec![pair("accept", "a"), pair("X", "1"), pair("Accept", "b")];
        replace_headers(&mut headers, &[pair("Accept", "c"), pair("Y", "2")]);
        assert_eq!(
            headers,
            [pair("X", "1"), pair("Accept", "c"), pair("Y", "2")]
        );
    }
}

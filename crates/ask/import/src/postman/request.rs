//! From a request of the collection to a step, or to the reason why there is none.

use super::address::{self, Host};
use super::auth::{self, Authorized, Headers};
use super::body::{self, Content};
use super::entries::Entries;
use super::file::{Auth, Event, Request};
use super::filling::Filling;
use super::left_out::{LeftOut, Stop};
use super::lenient::Either;
use super::made::template;
use super::manners::Manners;
use super::scripts::expected_status;
use crate::connection_headers::is_of_a_connection;
use crate::error::ImportError;
use crate::note::{Notes, shorten};
use std::collections::BTreeSet;
use std::path::Path;
use tacho_workload::rules::{is_header_value, is_method, is_token};
use tacho_workload::{Body, Check, Step};

/// A request with what it inherits from the folders around it.
pub(super) struct Asked<'c> {
    pub request: &'c Either<Request>,
    pub auth: Option<&'c Auth>,
    pub manners: Manners,
    pub events: &'c [Event],
}

/// What is the same for all requests.
pub(super) struct Surroundings<'s> {
    pub base_dir: &'s Path,
    /// The user gave a target.
    pub has_base: bool,
}

/// A request that can be sent.
#[derive(Debug)]
pub(super) struct Sent {
    pub host: Host,
    pub step: Step,
}

/// Makes a step of a request. What is secret in it is added to `secrets`.
pub(super) fn sent(
    asked: &Asked<'_>,
    surroundings: &Surroundings<'_>,
    filling: &mut Filling<'_, '_>,
    notes: &mut Notes,
    secrets: &mut BTreeSet<String>,
) -> Result<Sent, Stop> {
    let made = make(asked, surroundings, filling, notes, secrets);
    // A missing value also causes other problems, so it is reported as the reason.
    match made {
        Ok(_) | Err(Stop::LeftOut(_)) if !filling.missing().is_empty() => {
            Err(LeftOut::Missing(filling.missing().to_vec()).into())
        }
        other => other,
    }
}

fn make(
    asked: &Asked<'_>,
    surroundings: &Surroundings<'_>,
    filling: &mut Filling<'_, '_>,
    notes: &mut Notes,
    secrets: &mut BTreeSet<String>,
) -> Result<Sent, Stop> {
    let short;
    let request = match asked.request {
        Either::Parts(request) => request,
        // Only an address.
        Either::Text(url) => {
            short = Request {
                url: Some(Either::Text(url.clone())),
                ..Request::default()
            };
            &short
        }
    };
    let method = method(request, filling)?;
    let url = request.url.as_ref().ok_or(LeftOut::NoAddress)?;
    let mut target = address::read(url, surroundings.has_base, filling, notes)?;
    let mut headers = headers(&request.header, filling, notes)?;
    if let Some(login) = target.authorization.take()
        && !headers.has("authorization")
    {
        headers.set("Authorization", login);
    }
    if let Some(auth) = asked.auth {
        let request = Authorized {
            target: &mut target,
            headers: &mut headers,
            secrets,
        };
        auth::add(auth, request, filling, notes)?;
    }
    let content = content(request, &method, asked, surroundings, filling, notes)?;
    type_of(&content, asked.manners, &mut headers);
    Ok(Sent {
        host: target.host.clone(),
        step: Step {
            name: filling.place.to_owned(),
            method,
            path: target.template(asked.manners.encodes_addresses).finish(),
            headers: sendable(headers, filling.place, notes),
            body: content.body,
            checks: expected_status(asked.events)
                .map(Check::Status)
                .into_iter()
                .collect(),
            ..Step::default()
        },
    })
}

fn method(request: &Request, filling: &mut Filling<'_, '_>) -> Result<String, Stop> {
    let method = match request.method.as_str().trim() {
        "" => "GET".to_owned(),
        method => filling.fill(method)?.to_uppercase(),
    };
    if !is_method(&method) {
        return Err(LeftOut::Method(shorten(&method, 40)).into());
    }
    Ok(method)
}

/// Names and values of headers that are switched on, filled in.
fn headers(
    entries: &Entries,
    filling: &mut Filling<'_, '_>,
    notes: &mut Notes,
) -> Result<Headers, ImportError> {
    let written: Vec<(&str, &str)> = match entries {
        // `//` switches a line off.
        Entries::Written(lines) => lines
            .lines()
            .map(str::trim)
            .filter(|line| !line.starts_with("//"))
            .filter_map(|line| line.split_once(':'))
            .collect(),
        listed => listed
            .on()
            .map(|entry| (entry.name(), entry.value.as_str()))
            .collect(),
    };
    let mut headers = Headers::default();
    for (name, value) in written {
        let name = filling.fill(name.trim())?;
        if name.is_empty() {
            continue;
        }
        let lower = name.to_ascii_lowercase();
        if is_of_a_connection(&lower) || lower == "postman-token" {
            notes.add(
                "the collection",
                format_args!("the header `{lower}` is the client's own, and is not copied"),
            );
            continue;
        }
        let value = filling.fill(value.trim())?;
        headers.0.push((name, value.trim().to_owned()));
    }
    Ok(headers)
}

/// As templates, without what HTTP does not allow.
fn sendable(headers: Headers, place: &str, notes: &mut Notes) -> Vec<(String, String)> {
    let mut sendable = Vec::with_capacity(headers.0.len());
    for (name, value) in headers.0 {
        if is_token(&name) && is_header_value(&value) {
            sendable.push((name, template(&value, str::to_owned).finish()));
        } else {
            notes.add(place, "a header that HTTP does not allow is not sent");
        }
    }
    sendable
}

/// Methods with which Postman sends no body unless it is told to.
const WITHOUT_BODY: [&str; 5] = ["GET", "COPY", "HEAD", "PURGE", "UNLOCK"];

fn content(
    request: &Request,
    method: &str,
    asked: &Asked<'_>,
    surroundings: &Surroundings<'_>,
    filling: &mut Filling<'_, '_>,
    notes: &mut Notes,
) -> Result<Content, Stop> {
    let Some(written) = &request.body else {
        return Ok(Content::none());
    };
    if asked.manners.prunes_bodies && WITHOUT_BODY.contains(&method) {
        if !written.is_empty() {
            notes.add(
                filling.place,
                format_args!(
                    "its body is not sent: Postman sends none with {method} unless the request says so (disableBodyPruning)"
                ),
            );
        }
        return Ok(Content::none());
    }
    body::read(written, surroundings.base_dir, filling)
}

/// Adds the type of the body where none was typed.
fn type_of(content: &Content, manners: Manners, headers: &mut Headers) {
    let Some(kind) = &content.content_type else {
        return;
    };
    let mut typed = headers.0.iter();
    let typed = typed.find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    let is_added = match typed {
        Some((_, typed)) => content.is_parts && typed.starts_with("multipart/"),
        None => content.is_parts || manners.implies_content_type,
    };
    if is_added && content.body != Body::None {
        headers.set("Content-Type", kind.clone());
    }
}

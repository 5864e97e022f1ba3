//! From an entry to a request, or to the reason why there is none.

use super::body::{self, NoBody};
use super::file::{Entry, Header};
use crate::connection_headers::is_of_a_connection;
use crate::note::{Notes, shorten};
use crate::origin::{Origin, Url};
use crate::template::literal_step;
use std::path::Path;
use tacho_workload::rules::{is_header_value, is_method, is_token};
use tacho_workload::{Body, Check, Step};

/// A request that is sent as it was recorded.
#[derive(Debug)]
pub(super) struct Sent {
    pub origin: Origin,
    /// Without its cookies.
    pub step: Step,
    /// The value of its `Cookie` header; empty where there was none.
    pub cookies: String,
}

/// Why an entry is not sent.
#[derive(Debug, thiserror::Error)]
pub(super) enum LeftOut {
    #[error("the address holds the data itself, and nothing is sent for it")]
    Data,
    #[error("its WebSocket messages are not read yet; only the HTTP requests are")]
    Socket,
    #[error("`{0}` is no address of HTTP")]
    Address(String),
    #[error("opens a tunnel; what went through it is not in the recording")]
    Tunnel,
    #[error("`{0}` is no method")]
    Method(String),
    #[error("came from the {0} of the browser, and no server was asked")]
    Cached(String),
    #[error("answered by a service worker; whether a server was asked is not known")]
    ServiceWorker,
    #[error("answered by the test that was recorded, and no server was asked")]
    Fulfilled,
    #[error("had no answer ({0})")]
    NoAnswer(String),
    #[error("its Authorization is a ticket ({0}) that holds for one connection of the recording")]
    Ticket(String),
    #[error(transparent)]
    Body(#[from] NoBody),
}

pub(super) fn sent(
    entry: &Entry,
    base_dir: &Path,
    notes: &mut Notes,
    place: &str,
) -> Result<Sent, LeftOut> {
    let request = &entry.request;
    seen_by_a_server(entry)?;
    if !is_method(&request.method) {
        return Err(LeftOut::Method(shorten(&request.method, 40)));
    }
    let no_address = || LeftOut::Address(shorten(&request.url, 60));
    let url = Url::parse(&request.url).map_err(|_| no_address())?;
    let origin = url.origin.ok_or_else(no_address)?;
    let body = body::of(request, base_dir)?;
    let mut headers = headers(&request.headers, notes, place)?;
    let is_given = |name: &str| headers.iter().any(|(n, _)| n.eq_ignore_ascii_case(name));
    let kind = request.post_data.as_ref().map(|data| &data.mime_type);
    let kind = kind.filter(|kind| !kind.is_empty() && body != Body::None);
    let implied = [
        ("Content-Type", kind.cloned()),
        ("Authorization", url.authorization),
    ];
    let implied: Vec<(String, String)> = implied
        .into_iter()
        .filter(|(name, _)| !is_given(name))
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect();
    headers.extend(implied);
    let cookies: Vec<&str> = request
        .headers
        .iter()
        .filter(|header| header.name.eq_ignore_ascii_case("cookie"))
        .map(|header| header.value.trim())
        .filter(|value| is_header_value(value))
        .collect();
    let mut step = literal_step(request.method.clone(), &url.target, headers, body);
    // An error status that was recorded is accepted again. A success in its place is accepted too.
    let status = entry.response.status;
    if (400.0..600.0).contains(&status) {
        step.checks = vec![Check::Status(vec![
            (100, 399),
            (status as u16, status as u16),
        ])];
    }
    Ok(Sent {
        origin,
        step,
        cookies: cookies.join("; "),
    })
}

fn seen_by_a_server(entry: &Entry) -> Result<(), LeftOut> {
    let url = entry.request.url.trim();
    let scheme = url
        .split(':')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    match scheme.as_str() {
        "data" | "blob" | "about" => return Err(LeftOut::Data),
        "ws" | "wss" => return Err(LeftOut::Socket),
        "http" | "https" => {}
        _ => return Err(LeftOut::Address(shorten(&scheme, 40))),
    }
    if entry.request.method == "CONNECT" {
        return Err(LeftOut::Tunnel);
    }
    if let Some(kind) = &entry.from_cache {
        return Err(LeftOut::Cached(format!("{} cache", shorten(kind, 20))));
    }
    match entry.fetch_type.as_deref() {
        Some("Memory Cache") => return Err(LeftOut::Cached("memory cache".to_owned())),
        Some("Disk Cache") => return Err(LeftOut::Cached("disk cache".to_owned())),
        Some("Service Worker") => return Err(LeftOut::ServiceWorker),
        _ => {}
    }
    if entry.was_fulfilled {
        return Err(LeftOut::Fulfilled);
    }
    let response = &entry.response;
    let why = response
        .error
        .as_deref()
        .or(response.failure_text.as_deref());
    let has_status = response.status >= 100.0;
    if entry.was_aborted || !has_status {
        let why = why.filter(|why| !why.is_empty()).unwrap_or("status 0");
        return Err(LeftOut::NoAnswer(shorten(why, 80)));
    }
    if response.status as u16 == 101 {
        return Err(LeftOut::Socket);
    }
    Ok(())
}

/// Authentication schemes whose credentials can be used only once, or only on one connection.
const TICKETS: [&str; 3] = ["negotiate", "ntlm", "digest"];

fn headers(
    recorded: &[Header],
    notes: &mut Notes,
    place: &str,
) -> Result<Vec<(String, String)>, LeftOut> {
    let mut headers: Vec<(String, String)> = Vec::new();
    for Header { name, value } in recorded {
        let lower = name.trim().to_ascii_lowercase();
        // Cookies are looked at by themselves.
        if is_of_a_connection(&lower) || lower == "cookie" {
            continue;
        }
        let value = value.trim();
        if !is_token(name.trim()) || !is_header_value(value) {
            notes.add(place, "a header that HTTP does not allow is left out");
            continue;
        }
        if lower == "authorization" {
            let scheme = value.split(' ').next().unwrap_or_default();
            if TICKETS
                .iter()
                .any(|ticket| scheme.eq_ignore_ascii_case(ticket))
            {
                return Err(LeftOut::Ticket(scheme.to_owned()));
            }
        }
        // Firefox lists it twice with a form that has files.
        let is_again = lower == "content-type"
            && headers
                .iter()
                .any(|(n, _)| n.eq_ignore_ascii_case("content-type"));
        if !is_again {
            headers.push((name.trim().to_owned(), value.to_owned()));
        }
    }
    Ok(headers)
}

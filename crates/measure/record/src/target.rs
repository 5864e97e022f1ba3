//! A request as a target: a line of vegeta's JSON, without what is secret and without what belongs
//! to the connection.

use crate::tap::Seen;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use tacho_masking::Masking;
use url::form_urlencoded;

/// Belongs to a connection, and not to a request (RFC 9110, section 7.6.1); or is made anew.
const OF_CONNECTION: [&str; 11] = [
    "connection",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "http2-settings",
    "expect",
    "content-length",
    "host",
];

/// A line of a file of targets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Target {
    method: String,
    url: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    header: BTreeMap<String, Vec<String>>,
    #[serde(skip_serializing_if = "String::is_empty")]
    body: String,
}

/// Names of what was not written down, because it is secret.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Left {
    /// Headers: whoever sends the targets gives them.
    pub headers: BTreeSet<String>,
    /// In addresses or bodies something is masked.
    pub is_masked: bool,
}

impl Target {
    /// As it is sent to a service, path and query as the client wrote them; `None` when it asks for
    /// no path (`OPTIONS *`).
    #[must_use]
    pub fn of(seen: &Seen, masking: &Masking) -> Option<(Self, Left)> {
        let mut left = Left::default();
        // Without a host, so that the targets can also be sent to a copy of the service.
        let url = encoded(path(&seen.target)?);
        let url = match url.split_once('?') {
            Some((path, query)) => format!("{path}?{}", masked_query(query, masking, &mut left)),
            None => url,
        };
        let mut header: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, value) in &seen.headers {
            let is_named = |other: &&str| name.eq_ignore_ascii_case(other);
            if OF_CONNECTION.iter().any(is_named) {
                continue;
            }
            let value = String::from_utf8_lossy(value).into_owned();
            match masking.names().hides(name, &value) {
                true => {
                    left.headers.insert(name.clone());
                }
                false => {
                    let masked = noticed(&value, masking.text(&value), &mut left);
                    header.entry(name.clone()).or_default().push(masked);
                }
            }
        }
        // A body that is not text has no names by which secrets could be found.
        let body = match std::str::from_utf8(&seen.body) {
            Ok(text) => noticed(text, masking.text(text), &mut left).into_bytes(),
            Err(_) => seen.body.clone(),
        };
        let target = Self {
            method: seen.method.clone(),
            url,
            header,
            body: STANDARD.encode(body),
        };
        Some((target, left))
    }
}

/// With its query. A client of a proxy sends a whole address (RFC 9112, section 3.2.2); in any
/// other target `://` is a part of the path or of the query.
fn path(target: &str) -> Option<&str> {
    if target.starts_with('/') {
        // A list of targets could not tell one with `//` from the name of a host.
        return (!target.starts_with("//")).then_some(target);
    }
    let (_, rest) = target.split_once("://")?;
    match rest.find(['/', '?']) {
        Some(at) => rest
            .get(at..)
            .filter(|rest| rest.starts_with('/') && !rest.starts_with("//")),
        None => Some("/"),
    }
}

/// A byte that may not stand in an address is written as one may: clients send some as they are.
fn encoded(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for character in path.chars() {
        if character.is_ascii() {
            encoded.push(character);
        } else {
            let mut bytes = [0; 4];
            for byte in character.encode_utf8(&mut bytes).bytes() {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}

/// As it was written, where nothing in it is secret.
fn masked_query(query: &str, masking: &Masking, left: &mut Left) -> String {
    let pairs = || form_urlencoded::parse(query.as_bytes());
    if !pairs().any(|(name, value)| masking.names().hides(&name, &value)) {
        return query.to_owned();
    }
    left.is_masked = true;
    let masked = pairs().map(|(name, value)| {
        let masked = masking.value(&name, &value);
        (name.into_owned(), masked)
    });
    form_urlencoded::Serializer::new(String::new())
        .extend_pairs(masked)
        .finish()
}

fn noticed(before: &str, after: String, left: &mut Left) -> String {
    left.is_masked |= before != after;
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(seen: &Seen) -> (serde_json::Value, Left) {
        let (target, left) = Target::of(seen, &Masking::new()).unwrap();
        (serde_json::to_value(target).unwrap(), left)
    }

    fn seen(target: &str, headers: &[(&str, &str)], body: &str) -> Seen {
        Seen {
            method: "POST".into(),
            target: target.into(),
            headers: headers
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec()))
                .collect(),
            body: body.as_bytes().to_vec(),
        }
    }

    #[test]
    fn a_target_has_what_belongs_to_the_request_alone() {
        let headers = [
            ("Host", "localhost:9000"),
            ("Content-Type", "application/json"),
            ("Content-Length", "9"),
            ("Connection", "keep-alive"),
            ("Accept", "a/b"),
            ("Accept", "c/d"),
        ];
        let (json, left) = target(&seen("/orders?page=2", &headers, "{\"id\": 7}"));
        assert_eq!(json["url"], "/orders?page=2");
        let header =
            serde_json::json!({"Accept": ["a/b", "c/d"], "Content-Type": ["application/json"]});
        assert_eq!(json["header"], header);
        assert_eq!(json["body"], STANDARD.encode("{\"id\": 7}"));
        assert_eq!(left, Left::default());
    }

    #[test]
    fn what_is_secret_is_left_out_or_masked_and_said() {
        let headers = [
            ("Authorization", "Bearer abcdef123456"),
            ("Cookie", "session=xyz123"),
        ];
        let request = seen(
            "/a?access_token=abc123xyz&page=2",
            &headers,
            "{\"password\": \"hunter22\"}",
        );
        let (json, left) = target(&request);
        let text = json.to_string();
        for secret in ["abcdef123456", "xyz123", "abc123xyz"] {
            assert!(!text.contains(secret), "{text}");
        }
        let body = STANDARD.decode(json["body"].as_str().unwrap()).unwrap();
        assert!(!String::from_utf8(body).unwrap().contains("hunter22"));
        assert!(json["url"].as_str().unwrap().contains("page=2"));
        assert!(left.headers.contains("Authorization") && left.headers.contains("Cookie"));
        assert!(left.is_masked);
    }

    #[test]
    fn the_address_is_that_of_the_service_however_a_client_wrote_it() {
        let (json, _) = target(&seen("http://localhost:9000/a", &[], ""));
        assert_eq!(json["url"], "/a");
        assert!(json.get("body").is_none());
        let (json, _) = target(&seen("http://localhost:9000", &[], ""));
        assert_eq!(json["url"], "/");
        for no_path in ["*", "//a/b", "http://localhost:9000//a/b"] {
            assert!(Target::of(&seen(no_path, &[], ""), &Masking::new()).is_none());
        }
    }

    #[test]
    fn path_and_query_stay_as_the_client_wrote_them() {
        for target_of_client in [
            "/login?next=http://shop/cart",
            "/proxy/http://shop/x.png",
            "/a/../b",
            "/a/%2e%2e/b?x=%2F&y",
        ] {
            let (json, _) = target(&seen(target_of_client, &[], ""));
            assert_eq!(json["url"], target_of_client);
        }
        let (json, _) = target(&seen("/caf\u{e9}", &[], ""));
        assert_eq!(json["url"], "/caf%C3%A9");
    }
}

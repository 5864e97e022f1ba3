//! URLs as people write them, split into where they go (origin) and what is asked for (target).

use crate::basic;
use crate::error::ImportError;
use http::uri::Authority;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use std::fmt::{self, Display};
use std::str::FromStr;
pub use tacho_workload::Scheme;

/// Scheme, host and port (RFC 6454). Two origins are equal when they are the same, however
/// they were written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// How it is spoken to.
    pub scheme: Scheme,
    /// In lower case; an IPv6 address in its brackets.
    pub host: String,
    /// The default of the scheme when none was written.
    pub port: u16,
}

impl Origin {
    /// Host, and port unless it is the usual one.
    fn authority(&self) -> String {
        if self.port == self.scheme.default_port() {
            self.host.clone()
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }
}

impl Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme.as_str(), self.authority())
    }
}

impl From<&Origin> for tacho_workload::Origin {
    fn from(origin: &Origin) -> Self {
        Self {
            scheme: origin.scheme,
            authority: origin.authority(),
        }
    }
}

impl FromStr for Origin {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<Self, UrlError> {
        Url::parse(text)?
            .origin
            .ok_or_else(|| UrlError::Scheme(text.to_owned()))
    }
}

/// What is wrong with a URL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// The text is empty.
    #[error("there is no URL; write one such as http://127.0.0.1:8080/path")]
    Empty,
    /// No scheme, or one that is not spoken.
    #[error("`{0}` begins with neither http:// nor https:// nor /; no other scheme is spoken")]
    Scheme(String),
    /// Not a host, or not a port.
    #[error("`{0}` is no host with an optional port from 1 to 65535")]
    Authority(String),
}

/// A URL, split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Url {
    /// None when the URL is only a path.
    pub origin: Option<Origin>,
    /// Value of the `Authorization` header that the user name in the URL stands for.
    pub authorization: Option<String>,
    /// Path with query, beginning with `/`, without characters that break a request line.
    pub target: String,
}

/// What would end or break the request line; everything else goes out as it was written.
const UNSENDABLE: &AsciiSet = &CONTROLS.add(b' ');

impl Url {
    /// Splits `http://host:port/path?query#fragment`, or `/path?query`.
    pub fn parse(text: &str) -> Result<Self, UrlError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(UrlError::Empty);
        }
        if text.starts_with('/') && !text.starts_with("//") {
            return Ok(Self {
                origin: None,
                authorization: None,
                target: target(text),
            });
        }
        let (scheme, rest) = scheme(text).ok_or_else(|| UrlError::Scheme(text.to_owned()))?;
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        let (origin, user) = split_authority(scheme, authority)?;
        Ok(Self {
            origin: Some(origin),
            authorization: user
                .map(|user| basic::authorization(&percent_decode_str(user).collect::<Vec<_>>())),
            target: target(rest),
        })
    }
}

fn scheme(text: &str) -> Option<(Scheme, &str)> {
    let (scheme, rest) = text.split_once("://")?;
    match scheme.to_ascii_lowercase().as_str() {
        "http" => Some((Scheme::Http, rest)),
        "https" => Some((Scheme::Https, rest)),
        _ => None,
    }
}

fn split_authority(scheme: Scheme, text: &str) -> Result<(Origin, Option<&str>), UrlError> {
    let wrong = || UrlError::Authority(text.to_owned());
    let (user, place) = match text.rsplit_once('@') {
        Some((user, place)) => (Some(user), place),
        None => (None, text),
    };
    let authority: Authority = place.parse().map_err(|_| wrong())?;
    // Empty after the colon is allowed (RFC 3986, 3.2.3) and means the default.
    let port = match place[authority.host().len()..].strip_prefix(':') {
        None | Some("") => scheme.default_port(),
        Some(port) => port.parse().map_err(|_| wrong())?,
    };
    if authority.host().is_empty() || port == 0 {
        return Err(wrong());
    }
    let origin = Origin {
        scheme,
        host: authority.host().to_ascii_lowercase(),
        port,
    };
    Ok((origin, user.filter(|user| !user.is_empty())))
}

/// Path and query as they go into the request line. A fragment is never sent.
pub(crate) fn target(text: &str) -> String {
    let text = text.split_once('#').map_or(text, |(before, _)| before);
    let sendable = sendable(text);
    if sendable.starts_with('/') {
        sendable
    } else {
        format!("/{sendable}")
    }
}

/// Without what would end or break the request line.
pub(crate) fn sendable(text: &str) -> String {
    utf8_percent_encode(text, UNSENDABLE).to_string()
}

/// Adds to the query of a path.
pub(crate) fn append_query(path: &mut String, query: &str) {
    if !query.is_empty() {
        path.push(if path.contains('?') { '&' } else { '?' });
        path.push_str(query);
    }
}

/// Path without query, for names.
pub(crate) fn path_of(target: &str) -> &str {
    target.split_once('?').map_or(target, |(path, _)| path)
}

/// Watches that all requests go to one origin.
#[derive(Debug, Default)]
pub(crate) struct OneOrigin {
    seen: Vec<Origin>,
}

/// How many are named in the error.
const NAMED: usize = 4;

impl OneOrigin {
    pub fn add(&mut self, origin: Option<Origin>) {
        if let Some(origin) = origin
            && self.seen.len() < NAMED
            && !self.seen.contains(&origin)
        {
            self.seen.push(origin);
        }
    }

    pub fn finish(mut self) -> Result<Option<Origin>, ImportError> {
        if self.seen.len() > 1 {
            return Err(ImportError::SeveralOrigins { origins: self.seen });
        }
        Ok(self.seen.pop())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> (String, String) {
        let url = Url::parse(text).unwrap();
        (url.origin.unwrap().to_string(), url.target)
    }

    #[test]
    fn urls_are_split() {
        for (text, origin, target) in [
            ("http://a", "http://a", "/"),
            ("http://a?x=1", "http://a", "/?x=1"),
            ("HTTP://A:80/b", "http://a", "/b"),
            ("https://a:/b", "https://a", "/b"),
            ("https://a:8443/b?c=/d#e", "https://a:8443", "/b?c=/d"),
            ("http://[::1]:8080/b", "http://[::1]:8080", "/b"),
            ("http://[::1]/b", "http://[::1]", "/b"),
            (
                "http://a/b c\u{1}\u{e4}%20",
                "http://a",
                "/b%20c%01%C3%A4%20",
            ),
            ("http://a/{id}|\"<>", "http://a", "/{id}|\"<>"),
        ] {
            assert_eq!(
                split(text),
                (origin.to_owned(), target.to_owned()),
                "{text}"
            );
        }
    }

    #[test]
    fn a_path_has_no_origin() {
        let url = Url::parse("/a?b").unwrap();
        assert_eq!((url.origin, url.target.as_str()), (None, "/a?b"));
    }

    #[test]
    fn a_user_in_the_url_becomes_a_header() {
        let url = Url::parse("http://ann:a%40b@h/").unwrap();
        assert_eq!(url.origin.unwrap().host, "h");
        assert_eq!(url.authorization.unwrap(), basic::authorization(b"ann:a@b"));
    }

    #[test]
    fn what_cannot_be_called_is_refused() {
        for text in [
            "",
            " ",
            "a",
            "//a/b",
            "ftp://a/",
            "http://",
            "http:///a",
            "http://:80/",
            "http://a:0/",
            "http://a:65536/",
            "http://a:b/",
            "http://a b/",
            "http://[::1/",
            "http://a\u{e4}/",
        ] {
            assert!(Url::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn two_ways_to_write_an_origin_are_one() {
        let mut one = OneOrigin::default();
        one.add("http://A".parse().ok());
        one.add("http://a:80/x".parse().ok());
        one.add(None);
        assert_eq!(one.finish().unwrap().unwrap().to_string(), "http://a");
    }

    #[test]
    fn several_origins_are_named() {
        let mut one = OneOrigin::default();
        one.add("http://a".parse().ok());
        one.add("https://a".parse().ok());
        assert_eq!(
            one.finish().unwrap_err().to_string(),
            "the input sends to several origins: http://a, https://a; a run has one: give the \
             requests of one of them"
        );
    }
}

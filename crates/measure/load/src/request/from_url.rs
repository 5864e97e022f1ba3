//! From a URL to an endpoint and a path.

use super::{Address, Endpoint, Protocol, TlsOptions, WebSocket};
use std::net::{IpAddr, SocketAddr};
use url::{Host, Position, Url};

/// A URL that no request can be sent to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// `localhost:8080/ping` and the like.
    #[error("`{given}` has no scheme; write http://{given} or https://{given}")]
    NoScheme {
        /// As it was given.
        given: String,
    },
    /// None of http, https, ws and wss.
    #[error("`{scheme}` is not spoken here; use http://, https://, ws:// or wss://")]
    Scheme {
        /// As it was given.
        scheme: String,
    },
    /// `http://user:password@host/`. The URL is not repeated: it holds a secret.
    #[error(
        "the URL holds a user name or password, which would be lost silently; leave it out and send a \
         header `Authorization: Basic ...` instead (base64 of user:password)"
    )]
    UserInfo,
    /// Anything else that is wrong with it.
    #[error("`{given}` is no URL: {source}; write it like http://localhost:8080/path")]
    Malformed {
        /// As it was given.
        given: String,
        /// What the parser of URLs says.
        source: url::ParseError,
    },
}

impl Endpoint {
    /// The origin of an `http`, `https`, `ws` or `wss` URL, and its path with query. Default ports
    /// are known, IPv6 addresses stand in brackets, a fragment is not sent (RFC 9110, 7.1).
    ///
    /// ```
    /// # use tacho_load::Endpoint;
    /// let (endpoint, path) = Endpoint::parse_url("http://[::1]:8080/a b?q=1")?;
    /// assert_eq!((endpoint.authority.as_str(), path.as_str()), ("[::1]:8080", "/a%20b?q=1"));
    /// # Ok::<(), tacho_load::UrlError>(())
    /// ```
    ///
    /// # Errors
    /// When it is none, has another scheme, or holds a user name or password.
    pub fn parse_url(given: &str) -> Result<(Self, String), UrlError> {
        let given = given.trim();
        let Some((scheme, _)) = given.split_once("://") else {
            return Err(UrlError::NoScheme {
                given: given.to_owned(),
            });
        };
        let (is_tls, is_websocket) = match scheme.to_ascii_lowercase().as_str() {
            "http" => (false, false),
            "https" => (true, false),
            "ws" => (false, true),
            "wss" => (true, true),
            _ => {
                return Err(UrlError::Scheme {
                    scheme: scheme.to_owned(),
                });
            }
        };
        let malformed = |source| UrlError::Malformed {
            given: given.to_owned(),
            source,
        };
        let url = Url::parse(given).map_err(malformed)?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(UrlError::UserInfo);
        }
        let default_port = if is_tls { 443 } else { 80 };
        let port = url.port().unwrap_or(default_port);
        let number = |ip: IpAddr| Address::Ip(SocketAddr::new(ip, port));
        let address = match url.host() {
            Some(Host::Ipv4(ip)) => number(ip.into()),
            Some(Host::Ipv6(ip)) => number(ip.into()),
            Some(Host::Domain(host)) => Address::Name {
                host: host.to_owned(),
                port,
            },
            None => return Err(malformed(url::ParseError::EmptyHost)),
        };
        let endpoint = Self {
            address,
            others: Vec::new(),
            authority: url[Position::BeforeHost..Position::AfterPort].to_owned(),
            tls: is_tls.then(TlsOptions::default),
            protocol: Protocol::Http1,
            websocket: None,
        };
        let path = &url[Position::BeforePath..Position::AfterQuery];
        if is_websocket {
            let opened = WebSocket {
                path: path.to_owned(),
                headers: Vec::new(),
                greeting: 0,
            };
            return Ok((endpoint.talking(opened), path.to_owned()));
        }
        let path = with_placeholders(given).unwrap_or_else(|| path.to_owned());
        Ok((endpoint, path))
    }
}

/// The path as written, when it holds placeholders: a URL parser would escape their braces. A
/// placeholder that is not closed is kept as it is, so that the template reports it.
fn with_placeholders(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let path = &rest[rest.find('/')?..];
    let mut left = path.split_once('#').map_or(path, |(path, _)| path);
    let mut written = String::new();
    while let Some(begin) = left.find("{{") {
        let end = left[begin..]
            .find("}}")
            .map_or(left.len(), |end| begin + end + 2);
        written += &encoded(&left[..begin]);
        written += &left[begin..end];
        left = &left[end..];
    }
    (!written.is_empty()).then(|| written + &encoded(left))
}

/// What stands around placeholders may hold a blank or a letter that is none of ASCII's: in the
/// path of a request it is escaped (RFC 3986, 2.1).
fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            b'!'..=b'~' if !b"\"<>`".contains(&byte) => encoded.push(byte.into()),
            _ => encoded += &format!("%{byte:02X}"),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parsed(url: &str) -> (Address, String, bool, String) {
        let (endpoint, path) = Endpoint::parse_url(url).unwrap();
        let tls = endpoint.tls.is_some();
        (endpoint.address, endpoint.authority, tls, path)
    }

    fn ip(address: &str) -> Address {
        Address::Ip(address.parse().unwrap())
    }

    fn name(host: &str, port: u16) -> Address {
        let host = host.to_owned();
        Address::Name { host, port }
    }

    #[test]
    fn placeholders_stay_as_they_were_written() {
        let (_, _, _, path) = parsed("http://a.test/users/{{random 1 9}}?q={{uuid}}#top");
        assert_eq!(path, "/users/{{random 1 9}}?q={{uuid}}");
        let (_, _, _, path) = parsed("http://a.test/users/{1} 2");
        assert_eq!(path, "/users/%7B1%7D%202");
    }

    #[test]
    fn every_part_finds_its_place() {
        for (url, address, authority, tls, path) in [
            // The default port is connected to, and not named.
            (
                "http://example.test",
                name("example.test", 80),
                "example.test",
                false,
                "/",
            ),
            (
                "https://example.test/a",
                name("example.test", 443),
                "example.test",
                true,
                "/a",
            ),
            (
                "http://example.test:80/",
                name("example.test", 80),
                "example.test",
                false,
                "/",
            ),
            (
                "https://example.test:80/",
                name("example.test", 80),
                "example.test:80",
                true,
                "/",
            ),
            // Numbers need no resolver.
            (
                "http://127.0.0.1:8080/x?y=1",
                ip("127.0.0.1:8080"),
                "127.0.0.1:8080",
                false,
                "/x?y=1",
            ),
            (
                "http://[::1]:8080/",
                ip("[::1]:8080"),
                "[::1]:8080",
                false,
                "/",
            ),
            ("https://[::1]/", ip("[::1]:443"), "[::1]", true, "/"),
            // Schemes and hosts know no case; a query needs no path; a fragment stays here.
            (
                "HTTP://Example.Test?q#top",
                name("example.test", 80),
                "example.test",
                false,
                "/?q",
            ),
            // Written as people write it, sent as HTTP wants it.
            (
                "http://bücher.test/ä b",
                name("xn--bcher-kva.test", 80),
                "xn--bcher-kva.test",
                false,
                "/%C3%A4%20b",
            ),
        ] {
            let expected = (address, authority.to_owned(), tls, path.to_owned());
            assert_eq!(parsed(url), expected, "{url}");
        }
    }

    #[test]
    fn what_is_refused_says_the_way_out() {
        let text = |url: &str| Endpoint::parse_url(url).unwrap_err().to_string();
        assert!(text("localhost:8080/ping").contains("http://localhost:8080/ping"));
        assert!(text("ftp://example.test/").contains("http://"));
        assert!(text("unix:///tmp/socket").contains("`unix`"));
        let secret = text("http://user:hunter2@example.test/");
        assert!(secret.contains("Authorization") && !secret.contains("hunter2"));
        assert_eq!(
            Endpoint::parse_url("http://user@example.test/"),
            Err(UrlError::UserInfo)
        );
        for url in [
            "http://",
            "http://[::1",
            "http://a:99999/",
            "http://a b/",
            "http://:80/",
        ] {
            assert!(
                matches!(Endpoint::parse_url(url), Err(UrlError::Malformed { .. })),
                "{url}"
            );
        }
    }

    #[test]
    fn the_host_is_the_authority_without_its_port() {
        for (authority, host) in [
            ("example.test", "example.test"),
            ("example.test:80", "example.test"),
            ("127.0.0.1:80", "127.0.0.1"),
            ("[::1]:80", "::1"),
            ("[::1]", "::1"),
        ] {
            let endpoint = Endpoint::new("127.0.0.1:1".parse().unwrap()).with_authority(authority);
            assert_eq!(endpoint.host(), host);
        }
    }

    #[test]
    fn what_stands_around_placeholders_is_escaped() {
        for (url, path) in [
            (
                "http://h/a b/{{random 1 9}}?q=\u{e4}",
                "/a%20b/{{random 1 9}}?q=%C3%A4",
            ),
            ("http://h/{{a}}{{b}}\u{2000}#x", "/{{a}}{{b}}%E2%80%80"),
            ("http://h/\u{e4}{{not closed", "/%C3%A4{{not closed"),
        ] {
            assert_eq!(parsed(url).3, path, "{url}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic_and_every_path_can_be_sent(
            text in "\\PC{0,40}|[{} \u{2000}a]{0,12}",
            prefixed in any::<bool>(),
        ) {
            let url = if prefixed { format!("http://h/{text}") } else { text };
            if let Ok((_, path)) = Endpoint::parse_url(&url) {
                prop_assert!(path.starts_with('/'));
                let mut outside = path.as_str();
                while let Some((before, after)) = outside.split_once("{{") {
                    prop_assert!(can_be_sent(before), "{}", path);
                    // What is not closed is refused with the template.
                    outside = after.split_once("}}").map_or("", |(_, after)| after);
                }
                prop_assert!(can_be_sent(outside), "{}", path);
            }
        }
    }

    fn can_be_sent(path: &str) -> bool {
        !path.contains(|c: char| c.is_control() || c.is_whitespace())
    }
}

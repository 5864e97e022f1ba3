//! The options of curl: which take a value, and what they mean for a load test.
//!
//! Only a complete list tells values from URLs, so options without a meaning here are in it as
//! well.

use super::option_lists::{HARMLESS, HARMLESS_WITH_VALUE, NOT_USED};

/// What becomes of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Part of the request or of the connection.
    Used(Use),
    /// Changes only what curl prints or stores, or how it talks to servers of other protocols.
    Harmless,
    /// Would change the request or the connection, and is not carried out.
    NotUsed(&'static str),
}

/// Options that are carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Agent,
    Basic,
    Bearer,
    Ca,
    Certificate,
    Compressed,
    ConnectTimeout,
    Cookie,
    CookieJar,
    Data,
    DataBinary,
    DataRaw,
    DataUrlencode,
    Follow,
    Form,
    FormString,
    Get,
    Globoff,
    Head,
    Header,
    Http(crate::imported::HttpVersion),
    Insecure,
    Json,
    Key,
    MaxRedirects,
    MaxTime,
    Method,
    Next,
    PathAsIs,
    Range,
    Referer,
    RequestTarget,
    UnixSocket,
    Upload,
    Url,
    UrlQuery,
    User,
}

/// What an option of curl means, and whether a value follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CurlOption {
    pub meaning: Meaning,
    pub takes_value: bool,
}

/// `-X` without its hyphen.
pub(super) fn short(letter: u8) -> Option<CurlOption> {
    let long = SHORT.iter().find(|(short, _)| *short == letter)?.1;
    self::long(long)
}

/// `--request` without its hyphens. `--no-...` of an option that takes no value is its opposite,
/// which is what Tacho does anyway.
pub(super) fn long(name: &str) -> Option<CurlOption> {
    if let Some(meaning) = used(name) {
        return Some(meaning);
    }
    let is_of = |names: &str| names.split_whitespace().any(|listed| listed == name);
    for (why, with_value, without) in NOT_USED {
        if is_of(with_value) || is_of(without) {
            return Some(CurlOption {
                meaning: Meaning::NotUsed(why),
                takes_value: is_of(with_value),
            });
        }
    }
    let harmless = |takes_value| CurlOption {
        meaning: Meaning::Harmless,
        takes_value,
    };
    if is_of(HARMLESS_WITH_VALUE) || is_of(HARMLESS) {
        return Some(harmless(is_of(HARMLESS_WITH_VALUE)));
    }
    let positive = name.strip_prefix("no-")?;
    self::long(positive).filter(|option| !option.takes_value)?;
    Some(harmless(false))
}

fn used(name: &str) -> Option<CurlOption> {
    use crate::imported::HttpVersion::{Http1, Http2, Http2PriorKnowledge};
    let (using, takes_value) = match name {
        "basic" => (Use::Basic, false),
        "cacert" => (Use::Ca, true),
        "cert" => (Use::Certificate, true),
        "compressed" => (Use::Compressed, false),
        "connect-timeout" => (Use::ConnectTimeout, true),
        "cookie" => (Use::Cookie, true),
        "cookie-jar" => (Use::CookieJar, true),
        "data" | "data-ascii" => (Use::Data, true),
        "data-binary" => (Use::DataBinary, true),
        "data-raw" => (Use::DataRaw, true),
        "data-urlencode" => (Use::DataUrlencode, true),
        "form" => (Use::Form, true),
        "form-string" => (Use::FormString, true),
        "get" => (Use::Get, false),
        "globoff" => (Use::Globoff, false),
        "head" => (Use::Head, false),
        "header" => (Use::Header, true),
        "http1.1" => (Use::Http(Http1), false),
        "http2" => (Use::Http(Http2), false),
        "http2-prior-knowledge" => (Use::Http(Http2PriorKnowledge), false),
        "insecure" => (Use::Insecure, false),
        "json" => (Use::Json, true),
        "key" => (Use::Key, true),
        "location" | "location-trusted" => (Use::Follow, false),
        "max-redirs" => (Use::MaxRedirects, true),
        "max-time" => (Use::MaxTime, true),
        "next" => (Use::Next, false),
        "oauth2-bearer" => (Use::Bearer, true),
        "path-as-is" => (Use::PathAsIs, false),
        "range" => (Use::Range, true),
        "referer" => (Use::Referer, true),
        "request" => (Use::Method, true),
        "request-target" => (Use::RequestTarget, true),
        "unix-socket" => (Use::UnixSocket, true),
        "upload-file" => (Use::Upload, true),
        "url" => (Use::Url, true),
        "url-query" => (Use::UrlQuery, true),
        "user" => (Use::User, true),
        "user-agent" => (Use::Agent, true),
        _ => return None,
    };
    Some(CurlOption {
        meaning: Meaning::Used(using),
        takes_value,
    })
}

const SHORT: &[(u8, &str)] = &[
    (b'#', "progress-bar"),
    (b'0', "http1.0"),
    (b'1', "tlsv1"),
    (b'2', "sslv2"),
    (b'3', "sslv3"),
    (b'4', "ipv4"),
    (b'6', "ipv6"),
    (b':', "next"),
    (b'A', "user-agent"),
    (b'B', "use-ascii"),
    (b'C', "continue-at"),
    (b'D', "dump-header"),
    (b'E', "cert"),
    (b'F', "form"),
    (b'G', "get"),
    (b'H', "header"),
    (b'I', "head"),
    (b'J', "remote-header-name"),
    (b'K', "config"),
    (b'L', "location"),
    (b'M', "manual"),
    (b'N', "no-buffer"),
    (b'O', "remote-name"),
    (b'P', "ftp-port"),
    (b'Q', "quote"),
    (b'R', "remote-time"),
    (b'S', "show-error"),
    (b'T', "upload-file"),
    (b'U', "proxy-user"),
    (b'V', "version"),
    (b'X', "request"),
    (b'Y', "speed-limit"),
    (b'Z', "parallel"),
    (b'a', "append"),
    (b'b', "cookie"),
    (b'c', "cookie-jar"),
    (b'd', "data"),
    (b'e', "referer"),
    (b'f', "fail"),
    (b'g', "globoff"),
    (b'h', "help"),
    (b'i', "show-headers"),
    (b'j', "junk-session-cookies"),
    (b'k', "insecure"),
    (b'l', "list-only"),
    (b'm', "max-time"),
    (b'n', "netrc"),
    (b'o', "output"),
    (b'p', "proxytunnel"),
    (b'q', "disable"),
    (b'r', "range"),
    (b's', "silent"),
    (b't', "telnet-option"),
    (b'u', "user"),
    (b'v', "verbose"),
    (b'w', "write-out"),
    (b'x', "proxy"),
    (b'y', "speed-time"),
    (b'z', "time-cond"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_stands_for_an_option() {
        for (letter, name) in SHORT {
            assert!(long(name).is_some(), "-{} --{name}", char::from(*letter));
            assert_eq!(short(*letter), long(name));
        }
        assert_eq!(short(b'!'), None);
    }

    #[test]
    fn no_option_is_listed_twice() {
        let not_used = NOT_USED
            .iter()
            .flat_map(|(_, with, without)| [*with, *without]);
        let lists = not_used.chain([HARMLESS_WITH_VALUE, HARMLESS]);
        let mut known = std::collections::BTreeSet::new();
        for name in lists.flat_map(str::split_whitespace) {
            assert!(used(name).is_none(), "{name}");
            assert!(known.insert(name), "{name}");
        }
    }

    #[test]
    fn negations_take_no_value() {
        let option = long("no-progress-meter").unwrap();
        assert_eq!(
            (option.meaning, option.takes_value),
            (Meaning::Harmless, false)
        );
        assert_eq!(long("no-such-option"), None);
        assert_eq!(long("no-request"), None);
    }
}

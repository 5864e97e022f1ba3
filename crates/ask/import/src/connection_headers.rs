//! Headers that are of one connection, or the client's own.

/// RFC 9110, 7.6.1, and what belongs to it.
const NAMES: [&str; 10] = [
    "host",
    "content-length",
    "connection",
    "keep-alive",
    "upgrade",
    "te",
    "trailer",
    "transfer-encoding",
    "expect",
    "http2-settings",
];

/// Whether a header, named in lower case, is not copied to another connection.
pub(crate) fn is_of_a_connection(name: &str) -> bool {
    name.starts_with(':')
        || name.starts_with("proxy-")
        || name.starts_with("sec-websocket-")
        || NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_of_a_connection_is_known_by_its_name() {
        for name in [":authority", "host", "proxy-authorization", "te"] {
            assert!(is_of_a_connection(name), "{name}");
        }
        for name in ["authorization", "cookie", "content-type", "x-host"] {
            assert!(!is_of_a_connection(name), "{name}");
        }
    }
}

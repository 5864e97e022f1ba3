//! What a request may contain (RFC 9110 and 9112). These rules keep a request from turning into
//! another one on its way.

/// A method that can be sent: a token, and not `CONNECT`, which makes a tunnel of the connection.
#[must_use]
pub fn is_method(method: &str) -> bool {
    is_token(method) && method != "CONNECT"
}

/// A token of RFC 9110, 5.6.2: methods and header names.
#[must_use]
pub fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(is_token_byte)
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Nothing that ends or breaks the line of a header.
#[must_use]
pub fn is_header_value(value: &str) -> bool {
    !value.contains(breaks_line)
}

/// Would end or break a header line.
pub(crate) fn breaks_line(c: char) -> bool {
    c.is_control() && c != '\t'
}

/// Would end the path in the request line, or is never part of what is sent (a fragment stays with
/// the client: RFC 9110, 4.2.5).
pub(crate) fn breaks_path(c: char) -> bool {
    c.is_control() || c.is_whitespace() || c == '#'
}

/// At most `limit` characters of a text from outside, made visible, for a message.
pub(crate) fn excerpt(bytes: &[u8], limit: usize) -> String {
    // A character has at most 4 bytes; more need not be decoded.
    let window = &bytes[..bytes.len().min(limit.saturating_mul(4).saturating_add(4))];
    let text = String::from_utf8_lossy(window);
    let mut shown: String = text
        .chars()
        .take(limit)
        .flat_map(|c| -> Box<dyn Iterator<Item = char>> {
            if c.is_control() {
                Box::new(c.escape_debug())
            } else {
                Box::new(std::iter::once(c))
            }
        })
        .collect();
    if window.len() < bytes.len() || text.chars().nth(limit).is_some() {
        shown.push('…');
    }
    shown
}

/// The nearest of the names that there are, if one is near.
pub(crate) fn nearest<'a>(
    wanted: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    tacho_quantity::nearest(wanted, names).into_iter().next()
}

/// `; did you mean `x`?`, or nothing.
pub(crate) fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn methods_and_names_are_tokens() {
        for good in ["GET", "PURGE", "M-SEARCH", "x!"] {
            assert!(is_method(good), "{good}");
        }
        for bad in ["", "GET ", "G\r\nT", "CONNECT", "GÉT", "a/b"] {
            assert!(!is_method(bad), "{bad:?}");
        }
        assert!(is_header_value("a\tb \u{e4}") && !is_header_value("a\r\nb"));
    }

    #[test]
    fn an_excerpt_is_short_and_visible() {
        assert_eq!(excerpt(b"ok", 8), "ok");
        assert_eq!(excerpt(b"a\r\nb", 8), "a\\r\\nb");
        assert_eq!(excerpt(b"0123456789", 4), "0123…");
        assert_eq!(excerpt("äöü".as_bytes(), 3), "äöü");
    }

    proptest! {
        #[test]
        fn an_excerpt_is_bounded_and_on_one_line(bytes: Vec<u8>, limit in 0usize..40) {
            let shown = excerpt(&bytes, limit);
            prop_assert!(!shown.contains('\n'));
            // `\u{10ffff}` is the longest escape: 10 characters.
            prop_assert!(shown.chars().count() <= limit * 10 + 1);
        }
    }
}

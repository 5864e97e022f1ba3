//! What a request may consist of (RFC 9110).

/// A token, but not the one that makes a tunnel of the connection.
pub(crate) fn is_method(word: &str) -> bool {
    is_token(word) && word != "CONNECT"
}

/// Nothing that ends or breaks the line.
pub(crate) fn is_header_value(value: &str) -> bool {
    !value.contains(|c: char| c.is_control() && c != '\t')
}

/// Methods and names of headers are tokens (RFC 9110, 5.6.2).
pub(crate) fn is_token(word: &str) -> bool {
    let is_token_byte = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    !word.is_empty() && word.bytes().all(is_token_byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_breaks_a_request_is_told_from_what_does_not() {
        assert!(is_method("PATCH") && is_method("M-SEARCH"));
        assert!(!is_method("") && !is_method("GET /") && !is_method("CONNECT"));
        assert!(is_header_value("a\tb \u{e4}") && !is_header_value("a\r\nb"));
    }
}

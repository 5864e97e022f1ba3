//! The `Authorization` header of HTTP Basic (RFC 7617).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Value of the header for `user:password`.
pub(crate) fn authorization(credentials: &[u8]) -> String {
    format!("Basic {}", STANDARD.encode(credentials))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_rfc_7617() {
        assert_eq!(
            authorization(b"Aladdin:open sesame"),
            "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
        );
    }
}

//! From a connection to a WebSocket (RFC 6455, 4.1).

use tungstenite::handshake::client::generate_key;
use tungstenite::handshake::derive_accept_key;

/// An answer whose head is longer is refused, so that a peer cannot fill our memory.
pub const MAX_ANSWER_BYTES: usize = 64 * 1024;

const MAX_FIELDS: usize = 128;

/// Header fields that only the upgrade itself sets.
const OURS: [&str; 5] = [
    "connection",
    "sec-websocket-extensions",
    "sec-websocket-key",
    "sec-websocket-version",
    "upgrade",
];

/// One upgrade on its way.
#[derive(Debug)]
pub struct Upgrade {
    key: String,
}

/// Why a connection did not become a WebSocket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The answer is no HTTP.
    #[error("the answer to the upgrade is no HTTP")]
    Malformed,
    /// Its head is longer than [`MAX_ANSWER_BYTES`].
    #[error("the answer to the upgrade has a head beyond {MAX_ANSWER_BYTES} bytes")]
    TooLarge,
    /// Another status than 101.
    #[error("the upgrade to WebSocket was answered with {0}, not with 101")]
    Status(u16),
    /// The proof that the server understood the WebSocket handshake is missing or wrong.
    #[error("the upgrade to WebSocket was answered with 101 and a wrong Sec-WebSocket-Accept")]
    Accept,
}

impl Upgrade {
    /// Begins an upgrade with a new key, and gives the request to send. `authority` is the value of
    /// `Host`. `headers` are sent as well, except those that belong to the upgrade itself.
    #[must_use]
    pub fn begin(path: &str, authority: &str, headers: &[(String, String)]) -> (Self, Vec<u8>) {
        let key = generate_key();
        let is = |name: &str, other: &str| name.eq_ignore_ascii_case(other);
        let mut request = format!("GET {path} HTTP/1.1\r\n");
        if !headers.iter().any(|(name, _)| is(name, "host")) {
            request += &format!("Host: {authority}\r\n");
        }
        request += &format!(
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
        );
        for (name, value) in headers {
            if !OURS.iter().any(|ours| is(name, ours)) {
                request += &format!("{name}: {value}\r\n");
            }
        }
        request += "\r\n";
        (Self { key }, request.into_bytes())
    }

    /// Checks the answer so far. Returns the length of its head once it is complete. What follows
    /// the head are frames.
    ///
    /// # Errors
    /// When the subject does not agree.
    pub fn accepted(&self, answer: &[u8]) -> Result<Option<usize>, Refused> {
        let mut fields = [httparse::EMPTY_HEADER; MAX_FIELDS];
        let mut head = httparse::Response::new(&mut fields);
        let length = match head.parse(answer) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) if answer.len() > MAX_ANSWER_BYTES => {
                return Err(Refused::TooLarge);
            }
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => return Err(Refused::TooLarge),
            Err(_) => return Err(Refused::Malformed),
        };
        match head.code {
            Some(101) => {}
            Some(status) => return Err(Refused::Status(status)),
            None => return Err(Refused::Malformed),
        }
        let accept = derive_accept_key(self.key.as_bytes());
        let proves = |field: &&mut httparse::Header<'_>| {
            field.name.eq_ignore_ascii_case("sec-websocket-accept")
                && field.value.trim_ascii() == accept.as_bytes()
        };
        match head.headers.iter_mut().any(|field| proves(&field)) {
            true => Ok(Some(length)),
            false => Err(Refused::Accept),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of_the_standard() -> Upgrade {
        // RFC 6455, 1.3.
        Upgrade {
            key: "dGhlIHNhbXBsZSBub25jZQ==".to_owned(),
        }
    }

    const ACCEPTED: &str = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\
        Connection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

    #[test]
    fn the_request_says_what_the_standard_asks_for() {
        let headers = [("Cookie", "a=1"), ("Upgrade", "h2c"), ("Host", "shop.test")];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let (upgrade, request) = Upgrade::begin("/echo?q=1", "127.0.0.1:80", &headers);
        let request = String::from_utf8(request).unwrap();
        let key = &upgrade.key;
        assert_eq!(
            request,
            format!(
                "GET /echo?q=1 HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                 Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\nCookie: a=1\r\n\
                 Host: shop.test\r\n\r\n"
            )
        );
        assert_eq!(key.len(), 24, "16 bytes in base64");
        let (other, _) = Upgrade::begin("/", "a", &[]);
        assert_ne!(*key, other.key);
    }

    #[test]
    fn the_answer_proves_that_it_was_understood() {
        let upgrade = of_the_standard();
        let whole = format!("{ACCEPTED}\u{81}");
        let length = ACCEPTED.len();
        assert_eq!(upgrade.accepted(whole.as_bytes()), Ok(Some(length)));
        assert_eq!(
            upgrade.accepted(&ACCEPTED.as_bytes()[..length - 1]),
            Ok(None)
        );
        for (answer, refused) in [
            ("HTTP/1.1 404 Not Found\r\n\r\n", Refused::Status(404)),
            ("HTTP/1.1 101 Yes\r\n\r\n", Refused::Accept),
            (
                "HTTP/1.1 101 Yes\r\nSec-WebSocket-Accept: x\r\n\r\n",
                Refused::Accept,
            ),
            ("SSH-2.0-OpenSSH\r\n", Refused::Malformed),
        ] {
            assert_eq!(
                upgrade.accepted(answer.as_bytes()),
                Err(refused),
                "{answer}"
            );
        }
        let endless = format!("HTTP/1.1 101 Yes\r\nA: {}", "a".repeat(MAX_ANSWER_BYTES));
        assert_eq!(upgrade.accepted(endless.as_bytes()), Err(Refused::TooLarge));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>) {
            let _ = of_the_standard().accepted(&bytes);
        }
    }
}

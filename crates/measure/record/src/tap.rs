//! Reads along what a client sends: one request after another, whole ones alone.

use crate::chunks::{Chunks, Step};

/// A head that is longer is not read.
const LONGEST_HEAD: usize = 64 * 1024;
const MOST_HEADERS: usize = 128;
/// A request with a longer body is not written down: cut short, it would be another request.
const LONGEST_BODY: u64 = 1 << 20;

/// A request as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Its method.
    pub method: String,
    /// Path and query, or a whole address.
    pub target: String,
    /// Names and values, in their order.
    pub headers: Vec<(String, Vec<u8>)>,
    /// Its body, without its frame.
    pub body: Vec<u8>,
}

/// What cannot be written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lost {
    /// It is not HTTP/1: from here on nothing of this connection is read.
    NotHttp,
    /// It becomes another protocol, such as WebSocket: likewise.
    Upgraded,
    /// It asks for no path (`OPTIONS *`), or for one that a list of targets cannot hold.
    NoPath,
    /// Its body is longer than a mebibyte.
    TooLong,
}

/// Takes bytes as they come, and gives whole requests.
#[derive(Debug, Default)]
pub struct Tap {
    state: State,
}

#[derive(Debug)]
enum State {
    Head(Vec<u8>),
    Body {
        seen: Box<Seen>,
        rest: Rest,
        is_too_long: bool,
    },
    /// Bytes are carried, but no longer read.
    Blind,
}

impl Default for State {
    fn default() -> Self {
        Self::Head(Vec::new())
    }
}

#[derive(Debug)]
enum Rest {
    Bytes(u64),
    Chunks(Chunks),
}

impl Tap {
    /// Takes these bytes; gives the requests that they complete.
    pub fn read(&mut self, bytes: &[u8]) -> Vec<Result<Seen, Lost>> {
        let mut out = Vec::new();
        let mut left = bytes;
        while !left.is_empty() {
            left = match std::mem::replace(&mut self.state, State::Blind) {
                State::Blind => return out,
                State::Head(head) => self.head(head, left, &mut out),
                State::Body {
                    seen,
                    rest,
                    is_too_long,
                } => self.body(seen, rest, is_too_long, left, &mut out),
            };
        }
        out
    }

    fn head<'b>(
        &mut self,
        mut head: Vec<u8>,
        bytes: &'b [u8],
        out: &mut Vec<Result<Seen, Lost>>,
    ) -> &'b [u8] {
        let before = head.len();
        // Empty lines before a request line are allowed (RFC 9112, section 2.2).
        let skipped = match before {
            0 => bytes
                .iter()
                .take_while(|byte| b"\r\n".contains(byte))
                .count(),
            _ => 0,
        };
        let (_, bytes) = bytes.split_at(skipped);
        head.extend_from_slice(bytes);
        match parse(&head) {
            Ok(None) if head.len() <= LONGEST_HEAD => {
                self.state = State::Head(head);
                &[]
            }
            Ok(None) => self.blind(Lost::NotHttp, out),
            Err(lost) => self.blind(lost, out),
            Ok(Some(Parsed { seen, rest, length })) => {
                let (_, left) = bytes.split_at(length.saturating_sub(before).min(bytes.len()));
                match rest {
                    Rest::Bytes(0) => {
                        out.push(Ok(seen));
                        self.state = State::default();
                    }
                    rest => {
                        self.state = State::Body {
                            seen: Box::new(seen),
                            is_too_long: matches!(rest, Rest::Bytes(n) if n > LONGEST_BODY),
                            rest,
                        };
                    }
                }
                left
            }
        }
    }

    fn body<'b>(
        &mut self,
        mut seen: Box<Seen>,
        mut rest: Rest,
        mut is_too_long: bool,
        bytes: &'b [u8],
        out: &mut Vec<Result<Seen, Lost>>,
    ) -> &'b [u8] {
        let mut keep = |content: &[u8], is_too_long: &mut bool| {
            *is_too_long |= (seen.body.len() + content.len()) as u64 > LONGEST_BODY;
            if !*is_too_long {
                seen.body.extend_from_slice(content);
            }
        };
        let (taken, is_whole) = match &mut rest {
            Rest::Bytes(left) => {
                let taken = usize::try_from(*left)
                    .unwrap_or(usize::MAX)
                    .min(bytes.len());
                let (content, _) = bytes.split_at(taken);
                keep(content, &mut is_too_long);
                *left -= taken as u64;
                (taken, *left == 0)
            }
            Rest::Chunks(chunks) => {
                let mut taken = 0;
                let mut is_whole = false;
                for byte in bytes {
                    taken += 1;
                    match chunks.take(*byte) {
                        Step::Frame => {}
                        Step::Content => keep(&[*byte], &mut is_too_long),
                        Step::End => {
                            is_whole = true;
                            break;
                        }
                        Step::Broken => return self.blind(Lost::NotHttp, out),
                    }
                }
                (taken, is_whole)
            }
        };
        let (_, left) = bytes.split_at(taken);
        if is_whole {
            out.push(match is_too_long {
                true => Err(Lost::TooLong),
                false => Ok(*seen),
            });
            self.state = State::default();
        } else {
            self.state = State::Body {
                seen,
                rest,
                is_too_long,
            };
        }
        left
    }

    fn blind(&mut self, lost: Lost, out: &mut Vec<Result<Seen, Lost>>) -> &'static [u8] {
        self.state = State::Blind;
        out.push(Err(lost));
        &[]
    }
}

struct Parsed {
    seen: Seen,
    rest: Rest,
    length: usize,
}

/// `None`: more is to come.
fn parse(head: &[u8]) -> Result<Option<Parsed>, Lost> {
    let mut fields = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut fields);
    let length = match request.parse(head) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(_) => return Err(Lost::NotHttp),
    };
    let (Some(method), Some(target)) = (request.method, request.path) else {
        return Err(Lost::NotHttp);
    };
    let field = |name: &str| {
        let mut all = request.headers.iter();
        let found = all.find(|field| field.name.eq_ignore_ascii_case(name))?;
        std::str::from_utf8(found.value).ok().map(str::trim)
    };
    // `h2c` is an offer that clients make with each request (RFC 7540, section 3.2; the JDK's does
    // by default), and most services answer it in HTTP/1. One that takes it is seen by what comes
    // next.
    let becomes_another = field("upgrade").is_some_and(|to| !to.eq_ignore_ascii_case("h2c"));
    if method == "CONNECT" || becomes_another {
        return Err(Lost::Upgraded);
    }
    let rest = match (field("transfer-encoding"), field("content-length")) {
        (Some(coding), _) if coding.to_ascii_lowercase().ends_with("chunked") => {
            Rest::Chunks(Chunks::default())
        }
        (Some(_), _) => return Err(Lost::NotHttp),
        (None, Some(length)) => Rest::Bytes(length.parse().map_err(|_| Lost::NotHttp)?),
        (None, None) => Rest::Bytes(0),
    };
    let headers = request.headers.iter();
    let headers = headers.map(|field| (field.name.to_owned(), field.value.to_vec()));
    Ok(Some(Parsed {
        seen: Seen {
            method: method.to_owned(),
            target: target.to_owned(),
            headers: headers.collect(),
            body: Vec::new(),
        },
        rest,
        length,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const THREE: &[u8] = b"GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\nPOST /b HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc\r\nPUT /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n";

    fn all(parts: &[&[u8]]) -> Vec<Result<Seen, Lost>> {
        let mut tap = Tap::default();
        parts.iter().flat_map(|part| tap.read(part)).collect()
    }

    fn lines(seen: &[Result<Seen, Lost>]) -> Vec<String> {
        let seen = seen.iter().map(|seen| match seen {
            Ok(seen) => format!(
                "{} {} {}",
                seen.method,
                seen.target,
                String::from_utf8_lossy(&seen.body)
            ),
            Err(lost) => format!("{lost:?}"),
        });
        seen.collect()
    }

    #[test]
    fn requests_of_a_connection_are_told_apart() {
        assert_eq!(
            lines(&all(&[THREE])),
            ["GET /a?b=c ", "POST /b abc", "PUT /c hi"]
        );
    }

    #[test]
    fn another_protocol_is_carried_and_not_read() {
        let upgrade = b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n";
        assert_eq!(lines(&all(&[upgrade, THREE])), ["Upgraded"]);
        for other in [
            &b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[..],
            b"\x16\x03\x01\x02\x00",
            b"GET / HTTP/1.1\r\nContent-Length: many\r\n\r\n",
            b"GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
        ] {
            assert_eq!(lines(&all(&[other, THREE])), ["NotHttp"]);
        }
        assert_eq!(lines(&all(&[&[b'a'; 70_000], THREE])), ["NotHttp"]);
    }

    #[test]
    fn an_offer_to_speak_http2_is_a_request_like_any_other() {
        let offer = b"GET /a HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n\r\n";
        assert_eq!(lines(&all(&[offer, offer])), ["GET /a ", "GET /a "]);
        // It was taken.
        let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
        assert_eq!(
            lines(&all(&[offer, preface, THREE])),
            ["GET /a ", "NotHttp"]
        );
    }

    #[test]
    fn a_long_body_is_lost_and_the_next_request_is_not() {
        let long = [
            format!("POST /l HTTP/1.1\r\nContent-Length: {}\r\n\r\n", 2 << 20).into_bytes(),
            vec![b'x'; 2 << 20],
        ]
        .concat();
        assert_eq!(
            lines(&all(&[&long, b"GET /n HTTP/1.1\r\n\r\n"])),
            ["TooLong", "GET /n "]
        );
    }

    proptest! {
        #[test]
        fn it_does_not_matter_where_the_bytes_are_split(splits in proptest::collection::vec(0..THREE.len(), 0..8)) {
            let mut at = splits;
            at.extend([0, THREE.len()]);
            at.sort_unstable();
            let parts: Vec<&[u8]> = at.windows(2).map(|pair| &THREE[pair[0]..pair[1]]).collect();
            prop_assert_eq!(all(&parts), all(&[THREE]));
        }

        #[test]
        fn no_bytes_make_it_panic(parts in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..80), 0..6)) {
            let mut tap = Tap::default();
            let _ = tap.read(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
            let mut other = Tap::default();
            for part in parts {
                let _ = tap.read(&part);
                let _ = other.read(&part);
            }
        }
    }
}

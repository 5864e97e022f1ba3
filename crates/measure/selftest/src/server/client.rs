//! One connection: how many whole requests its bytes hold.

use std::io::{self, ErrorKind, Read};
use std::net::TcpStream;

/// More headers than this, or a longer head, and the client is no load tool.
const MOST_HEADERS: usize = 64;
const LONGEST_HEAD: usize = 64 * 1024;

/// A connection and the bytes of a request that is not complete yet.
#[derive(Debug)]
pub struct Client {
    pub stream: TcpStream,
    requests: RequestReader,
}

impl Client {
    pub fn new(stream: TcpStream) -> Self {
        Self {
            stream,
            requests: RequestReader::default(),
        }
    }

    /// Reads what there is, and returns how many more requests are complete; `None` when the
    /// connection is at its end, or carries something else than HTTP/1.1 requests.
    pub fn read(&mut self, buffer: &mut [u8]) -> Option<u32> {
        match (&self.stream).read(buffer) {
            Ok(0) => None,
            Ok(count) => self.requests.take(&buffer[..count]).ok(),
            Err(error) if is_temporary(&error) => Some(0),
            Err(_) => None,
        }
    }
}

fn is_temporary(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

/// Not a request that this server reads: garbage, chunks, or a head beyond all bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreadable;

/// Counts requests in a stream of bytes.
#[derive(Debug, Default)]
pub struct RequestReader {
    /// The head so far.
    head: Vec<u8>,
    /// Bytes of a body that are still to come.
    body_left: usize,
}

impl RequestReader {
    /// Takes the next bytes; tells how many requests they complete.
    pub fn take(&mut self, mut bytes: &[u8]) -> Result<u32, Unreadable> {
        let mut complete = 0;
        loop {
            if self.body_left > 0 {
                let part = self.body_left.min(bytes.len());
                self.body_left -= part;
                bytes = &bytes[part..];
                if self.body_left > 0 {
                    return Ok(complete);
                }
                complete += 1;
            }
            if bytes.is_empty() {
                return Ok(complete);
            }
            let before = self.head.len();
            self.head.extend_from_slice(bytes);
            let Some((length, body)) = head_of(&self.head)? else {
                return Ok(complete);
            };
            bytes = &bytes[length - before..];
            self.head.clear();
            self.body_left = body;
            if body == 0 {
                complete += 1;
            }
        }
    }
}

/// Lengths of a complete head and of the body that it announces; `None` when more has to come.
fn head_of(bytes: &[u8]) -> Result<Option<(usize, usize)>, Unreadable> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => {
            let body = body_length(request.headers)?;
            Ok(Some((length, body)))
        }
        Ok(httparse::Status::Partial) if bytes.len() < LONGEST_HEAD => Ok(None),
        _ => Err(Unreadable),
    }
}

fn body_length(headers: &[httparse::Header<'_>]) -> Result<usize, Unreadable> {
    let value = |name: &str| {
        headers
            .iter()
            .find(|header| header.name.eq_ignore_ascii_case(name))
            .map(|header| header.value)
    };
    if value("transfer-encoding").is_some() {
        return Err(Unreadable);
    }
    match value("content-length") {
        None => Ok(0),
        Some(text) => std::str::from_utf8(text)
            .ok()
            .and_then(|text| text.trim().parse().ok())
            .ok_or(Unreadable),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GET: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    const POST: &[u8] = b"POST /x HTTP/1.1\r\nHost: a\r\ncontent-length: 5\r\n\r\nhello";

    #[test]
    fn requests_are_counted_when_they_are_complete() {
        let mut reader = RequestReader::default();
        assert_eq!(reader.take(&GET[..10]), Ok(0));
        assert_eq!(reader.take(&GET[10..]), Ok(1));
        assert_eq!(reader.take(&POST[..POST.len() - 1]), Ok(0));
        assert_eq!(reader.take(&POST[POST.len() - 1..]), Ok(1));
        assert_eq!(reader.take(&[GET, POST, GET, &GET[..3]].concat()), Ok(3));
        assert_eq!(reader.take(&GET[3..]), Ok(1));
    }

    #[test]
    fn what_it_does_not_read_is_refused() {
        for bytes in [
            &b"\x16\x03\x01\x02\x00"[..],
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        ] {
            assert_eq!(RequestReader::default().take(bytes), Err(Unreadable));
        }
        let endless = [b"GET /", &[b'a'; LONGEST_HEAD][..]].concat();
        assert_eq!(RequestReader::default().take(&endless), Err(Unreadable));
    }

    proptest! {
        #[test]
        fn the_count_does_not_depend_on_where_the_bytes_are_cut(
            kinds in proptest::collection::vec(any::<bool>(), 0..20),
            cuts in proptest::collection::vec(1usize..60, 1..100),
        ) {
            let bytes: Vec<u8> = kinds.iter().flat_map(|&post| if post { POST } else { GET }).copied().collect();
            let mut reader = RequestReader::default();
            let (mut rest, mut count) = (&bytes[..], 0);
            for cut in cuts.iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (part, left) = rest.split_at(rest.len().min(*cut));
                count += reader.take(part).unwrap();
                rest = left;
            }
            prop_assert_eq!(count as usize, kinds.len());
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = RequestReader::default().take(&bytes);
        }
    }
}

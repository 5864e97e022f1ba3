//! Answers to probes, read by the engine's HTTP reader, and names for what is no HTTP/1 answer.

use tacho_http1::{Keep, Progress, RecentHead};

/// A whole answer; its body was read and thrown away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: u16,
    /// The connection can carry another request.
    pub(super) reusable: bool,
}

/// What is said of a port that wants `https`.
pub(super) const TLS: &str = "answers with TLS";

/// Why bytes are no answer; for a sentence that begins with a place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Broken {
    #[error("answers with something that is not HTTP/1")]
    NotHttp,
    /// A TLS record: the port wants `https`.
    #[error("{tls} (Tacho asks over plain HTTP)", tls = TLS)]
    Tls,
    /// A SETTINGS frame: the port wants HTTP/2 from the start, as gRPC does.
    #[error(
        "answers with HTTP/2, and Tacho asks over HTTP/1 (methods of gRPC are called with --call, or `call` in the experiment's requests)"
    )]
    Http2,
    #[error("closes the connection in the middle of its answer")]
    CutOff,
}

/// Number of bytes that identify another protocol.
const BEGINNING: usize = 9;

/// Takes the bytes of one answer.
#[derive(Debug)]
pub(super) struct AnswerReader {
    reader: tacho_http1::AnswerReader,
    recent: RecentHead,
    beginning: Vec<u8>,
}

impl AnswerReader {
    pub(super) fn new() -> Self {
        let mut reader = tacho_http1::AnswerReader::default();
        reader.expect(false, Keep::Nothing);
        Self {
            reader,
            recent: RecentHead::default(),
            beginning: Vec::new(),
        }
    }

    /// The status, as soon as the head is there.
    pub(super) fn status(&self) -> Option<u16> {
        self.reader.status()
    }

    /// Takes what came; gives the answer when it is whole.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<Option<Answer>, Broken> {
        let missing = BEGINNING - self.beginning.len();
        self.beginning.extend(bytes.iter().take(missing));
        match self.reader.read(bytes, &mut self.recent) {
            Ok(Progress::Incomplete) => Ok(None),
            Ok(Progress::Complete { answer, consumed }) => Ok(Some(Answer {
                status: answer.status,
                // Not reusable when more bytes came than the answer has. They would be taken for
                // the next answer.
                reusable: answer.keep_alive && consumed == bytes.len(),
            })),
            Err(_) => Err(not_http(&self.beginning)),
        }
    }

    /// The connection was closed by the other side.
    pub(super) fn close(&mut self) -> Result<Answer, Broken> {
        let answer = self.reader.end_of_stream().map_err(|_| Broken::CutOff)?;
        Ok(Answer {
            status: answer.status,
            reusable: false,
        })
    }
}

/// Which protocol it is, where the first bytes show it.
fn not_http(bytes: &[u8]) -> Broken {
    match bytes {
        // RFC 8446, section 5.1: alert or handshake, version 3.x.
        [0x15 | 0x16, 3, ..] => Broken::Tls,
        // RFC 9113, section 6.5: three bytes of length, type 4, stream 0.
        [0, 0, _, 4, 0, 0, 0, 0, 0, ..] => Broken::Http2,
        _ => Broken::NotHttp,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<Option<Answer>, Broken> {
        AnswerReader::new().push(text.as_bytes())
    }

    fn answer(status: u16, reusable: bool) -> Result<Option<Answer>, Broken> {
        Ok(Some(Answer { status, reusable }))
    }

    #[test]
    fn the_ways_to_frame_a_body() {
        let cases = [
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
                answer(200, true),
            ),
            ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok", Ok(None)),
            ("HTTP/1.1 204 No Content\r\n\r\n", answer(204, true)),
            (
                "HTTP/1.1 503 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                answer(503, false),
            ),
            (
                "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
                answer(200, false),
            ),
            // Interim answers are passed over.
            (
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n",
                answer(404, true),
            ),
            // Chunks with an extension and a trailer.
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nA: b\r\n\r\n",
                answer(200, true),
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n",
                Ok(None),
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                Err(Broken::NotHttp),
            ),
            // More than was asked for: the connection is not used again.
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nokay",
                answer(200, false),
            ),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: -4\r\n\r\n",
                Err(Broken::NotHttp),
            ),
            ("SSH-2.0-OpenSSH_9.2\r\n", Err(Broken::NotHttp)),
            ("JDWP-Handshake", Err(Broken::NotHttp)),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_body_without_length_ends_with_the_connection() {
        let mut reader = AnswerReader::new();
        assert_eq!(reader.push(b"HTTP/1.1 200 OK\r\n\r\nhello"), Ok(None));
        assert_eq!(reader.status(), Some(200));
        assert_eq!(
            reader.close(),
            Ok(Answer {
                status: 200,
                reusable: false
            })
        );
    }

    #[test]
    fn a_connection_that_closes_too_early_is_told() {
        let mut reader = AnswerReader::new();
        reader
            .push(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhe")
            .unwrap();
        assert_eq!(reader.close(), Err(Broken::CutOff));
        assert_eq!(AnswerReader::new().close(), Err(Broken::CutOff));
    }

    #[test]
    fn protocols_that_are_likely_on_a_wrong_port_are_named() {
        let kind = |bytes: &[u8]| AnswerReader::new().push(bytes).unwrap_err();
        assert_eq!(kind(&[0x15, 3, 3, 0, 2, 2, 70]), Broken::Tls);
        assert!(Broken::Tls.to_string().starts_with(TLS));
        assert_eq!(kind(&[0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4]), Broken::Http2);
        assert_eq!(kind(&[0, 0, 6]), Broken::NotHttp);
    }

    #[test]
    fn an_endless_head_is_not_kept() {
        let mut reader = AnswerReader::new();
        reader.push(b"HTTP/1.1 200 OK\r\nX: ").unwrap();
        let result = (0..100).find_map(|_| reader.push(&[b'x'; 1024]).err());
        assert_eq!(result, Some(Broken::NotHttp));
    }

    proptest! {
        #[test]
        fn it_does_not_matter_where_the_bytes_are_split(splits in proptest::collection::vec(0usize..120, 0..6)) {
            let text = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n3\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n";
            let mut splits: Vec<_> = splits.iter().map(|s| s % text.len()).collect();
            splits.extend([0, text.len()]);
            splits.sort_unstable();
            let mut reader = AnswerReader::new();
            let mut last = None;
            for pair in splits.windows(2) {
                prop_assert!(last.is_none() || pair[0] == pair[1]);
                last = reader.push(&text[pair[0]..pair[1]]).unwrap().or(last);
            }
            prop_assert_eq!(last, Some(Answer { status: 200, reusable: true }));
        }

        #[test]
        fn no_bytes_make_it_panic(parts in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..60), 0..5)) {
            let mut reader = AnswerReader::new();
            let _ = reader.push(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            let mut other = AnswerReader::new();
            for part in parts {
                let _ = reader.push(&part);
                let _ = other.push(&part);
            }
            let _ = (reader.close(), other.close());
        }
    }
}

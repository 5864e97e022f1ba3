use super::*;
use proptest::prelude::*;

/// What became of a stream that is closed after its last byte.
type Read = Result<(u16, bool, usize), &'static str>;

fn name(fault: HttpFault) -> &'static str {
    match fault {
        HttpFault::HeadTooLarge => "too-large",
        HttpFault::Truncated => "truncated",
        _ => "malformed",
    }
}

/// Reads a stream in pieces of the given sizes, then in one; status, keep-alive, bytes taken.
fn read_split(stream: &[u8], pieces: &[usize], to_head: bool) -> Read {
    let mut recent = RecentHead::default();
    let parsed = read_after(stream, pieces, to_head, &mut recent);
    let known = read_after(stream, pieces, to_head, &mut recent);
    assert_eq!(parsed, known, "a head known from before changes nothing");
    parsed
}

fn read_after(stream: &[u8], pieces: &[usize], to_head: bool, recent: &mut RecentHead) -> Read {
    let mut reader = AnswerReader::default();
    reader.expect(to_head, Keep::Nothing);
    let mut at = 0;
    let mut pieces = pieces.iter();
    while at < stream.len() {
        let end = pieces
            .next()
            .map_or(stream.len(), |&p| (at + p).min(stream.len()));
        match reader.read(&stream[at..end], recent).map_err(name)? {
            Progress::Complete { answer, consumed } => {
                return Ok((answer.status, answer.keep_alive, at + consumed));
            }
            Progress::Incomplete => at = end,
        }
    }
    let answer = reader.end_of_stream().map_err(name)?;
    Ok((answer.status, answer.keep_alive, at))
}

fn read(stream: &str) -> Read {
    read_split(stream.as_bytes(), &[], false)
}

#[test]
fn the_length_says_where_the_answer_ends() {
    assert_eq!(
        read("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npong"),
        Ok((200, true, 42))
    );
    assert_eq!(
        read("HTTP/1.1 200 OK\r\ncontent-length: 4, 4\r\n\r\npong, and more"),
        Ok((200, true, 45))
    );
    assert_eq!(
        read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\npong"),
        Err("truncated")
    );
}

#[test]
fn chunks_end_with_the_empty_one() {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n";
    let body = "4;name=\"value\"\r\npong\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n";
    let stream = format!("{head}{body}");
    assert_eq!(read(&stream), Ok((200, true, stream.len())));
    for broken in [
        "x\r\n",
        "4\r\npongX",
        "4\npong\r\n",
        "\r\n",
        "fffffffffffffffff\r\n",
        "0\r\nA: b\n\r\n",
        "0\rx",
        "1 \n",
    ] {
        assert_eq!(
            read(&format!("{head}{broken}")),
            Err("malformed"),
            "{broken:?}"
        );
    }
    assert_eq!(read(&format!("{head}4\r\npong\r\n0\r\n")), Err("truncated"));
}

#[test]
fn extensions_and_trailers_have_an_end() {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let endless = "x".repeat(70_000);
    assert_eq!(read(&format!("{head}4;{endless}")), Err("malformed"));
    assert_eq!(read(&format!("{head}0\r\nA: {endless}")), Err("malformed"));
}

#[test]
fn without_a_length_the_close_ends_it() {
    assert_eq!(read("HTTP/1.1 200 OK\r\n\r\npong"), Ok((200, false, 23)));
    assert_eq!(
        read("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nContent-Length: 1\r\n\r\npong"),
        Ok((200, false, 67))
    );
}

#[test]
fn some_answers_have_no_body() {
    assert_eq!(read("HTTP/1.1 204 No Content\r\n\r\n"), Ok((204, true, 27)));
    assert_eq!(
        read("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n"),
        Ok((304, true, 48))
    );
    let to_head = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n";
    assert_eq!(read_split(to_head, &[], true), Ok((200, true, 38)));
}

#[test]
fn interim_answers_are_passed_over() {
    let stream = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n";
    assert_eq!(read(stream), Ok((201, true, stream.len())));
    assert_eq!(
        read("HTTP/1.1 101 Switching Protocols\r\n\r\n"),
        Err("malformed")
    );
    assert_eq!(read("HTTP/1.1 100 Continue\r\n\r\n"), Err("truncated"));
}

#[test]
fn the_connection_is_kept_as_version_and_field_say() {
    let kept = |head: &str| {
        read(&format!("{head}\r\nContent-Length: 0\r\n\r\n"))
            .unwrap()
            .1
    };
    assert!(kept("HTTP/1.1 200 OK"));
    assert!(!kept("HTTP/1.1 200 OK\r\nConnection: Close"));
    assert!(!kept("HTTP/1.1 200 OK\r\nConnection: keep-alive, close"));
    assert!(!kept("HTTP/1.0 200 OK"));
    assert!(kept("HTTP/1.0 200 OK\r\nConnection: Keep-Alive"));
}

#[test]
fn what_is_not_http_is_malformed() {
    for stream in [
        "garbage",
        "\0\0\0\0",
        "HTTP/2 200 OK\r\n\r\n",
        "HTTP/1.1 999 Odd\r\n\r\n",
        "HTTP/1.1 099 Odd\r\n\r\n",
        "HTTP/1.1 abc\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: +4\r\n\r\npong",
        "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\npong",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
    ] {
        assert_eq!(read(stream), Err("malformed"), "{stream:?}");
    }
    assert_eq!(read(""), Err("truncated"));
    assert_eq!(read("HTTP/1.1 200 OK\r\nContent-Le"), Err("truncated"));
}

#[test]
fn a_head_without_end_is_too_large() {
    let long = format!("HTTP/1.1 200 OK\r\nX: {}", "x".repeat(MAX_HEAD_BYTES));
    assert_eq!(read(&long), Err("too-large"));
    assert_eq!(
        read_split(long.as_bytes(), &[10_000; 6], false),
        Err("too-large")
    );
    let many = format!(
        "HTTP/1.1 200 OK\r\n{}\r\n",
        "A: b\r\n".repeat(MAX_HEADERS + 1)
    );
    assert_eq!(read(&many), Err("too-large"));
}

#[test]
fn one_reader_reads_answer_after_answer() {
    let mut reader = AnswerReader::default();
    for _ in 0..3 {
        reader.expect(false, Keep::Nothing);
        assert_eq!(
            reader.read(b"HTTP/1.1 200 OK\r\nCont", &mut RecentHead::default()),
            Ok(Progress::Incomplete)
        );
        let answer = Answer {
            status: 200,
            keep_alive: true,
        };
        assert_eq!(
            reader.read(b"ent-Length: 2\r\n\r\nok", &mut RecentHead::default()),
            Ok(Progress::Complete {
                answer,
                consumed: 19
            })
        );
    }
}

/// What is kept of a whole answer.
fn kept(stream: &[u8], pieces: &[usize], keep: Keep) -> Option<Box<KeptAnswer>> {
    let mut reader = AnswerReader::default();
    reader.expect(false, keep);
    let mut at = 0;
    let mut pieces = pieces.iter();
    while at < stream.len() {
        let end = pieces
            .next()
            .map_or(stream.len(), |&p| (at + p).min(stream.len()));
        match reader
            .read(&stream[at..end], &mut RecentHead::default())
            .ok()?
        {
            Progress::Complete { .. } => return reader.take_kept(),
            Progress::Incomplete => at = end,
        }
    }
    reader.end_of_stream().ok()?;
    reader.take_kept()
}

/// Streams that are nearly answers, so that the deeper states are reached.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let piece = proptest::sample::select(vec![
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.0 404 Not Found\r\n",
        "Content-Length: 5\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Connection: close\r\n",
        "\r\n",
        "\n",
        "5\r\nhello\r\n",
        "hello",
        "0\r\n\r\n",
        "3;x\r\n",
        "\0",
    ]);
    prop_oneof![
        3 => proptest::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat().into_bytes()),
        1 => proptest::collection::vec(any::<u8>(), 0..200),
        2 => (any::<u16>(), 0usize..40).prop_map(|(size, more)| {
            let size = size % 300;
            let mut bytes = format!("HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n").into_bytes();
            bytes.resize(bytes.len() + usize::from(size) + more, b'.');
            bytes
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_split_of_the_bytes_gives_the_same_result(
        stream in stream(), pieces in proptest::collection::vec(1usize..20, 0..40), to_head in any::<bool>(),
    ) {
        let whole = read_split(&stream, &[], to_head);
        let byte_by_byte = vec![1; stream.len()];
        prop_assert_eq!(read_split(&stream, &pieces, to_head), whole);
        prop_assert_eq!(read_split(&stream, &byte_by_byte, to_head), whole);
    }

    #[test]
    fn what_is_kept_does_not_depend_on_how_the_bytes_were_split(
        stream in stream(), pieces in proptest::collection::vec(1usize..20, 0..40), limit in 0usize..40,
    ) {
        let keep = Keep::HeadAndBody { limit };
        let whole = kept(&stream, &[], keep);
        prop_assert_eq!(kept(&stream, &pieces, keep), whole.clone());
        if let Some(all) = kept(&stream, &[], Keep::HeadAndBody { limit: usize::MAX }) {
            let whole = whole.unwrap();
            prop_assert_eq!(&whole.body[..], &all.body[..limit.min(all.body.len())]);
            prop_assert_eq!(whole.truncated, all.body.len() > limit);
            prop_assert_eq!(whole.headers, all.headers);
        }
    }

    #[test]
    fn no_bytes_make_it_panic_and_it_never_takes_more_than_there_are(
        bytes in proptest::collection::vec(any::<u8>(), 0..600), head in any::<bool>(),
    ) {
        let mut reader = AnswerReader::default();
        if head {
            let _ = reader.read(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", &mut RecentHead::default());
        }
        if let Ok(Progress::Complete { consumed, .. }) = reader.read(&bytes, &mut RecentHead::default()) {
            prop_assert!(consumed <= bytes.len());
        }
        let _ = reader.end_of_stream();
    }
}

#[test]
fn a_known_head_is_known_by_all_of_its_bytes() {
    let mut recent = RecentHead::default();
    let one = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    let other = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nyes";
    let longer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
    for _ in 0..2 {
        assert_eq!(
            read_after(one, &[], false, &mut recent),
            Ok((200, true, one.len()))
        );
        assert_eq!(
            read_after(other, &[], false, &mut recent),
            Ok((200, true, other.len()))
        );
        assert_eq!(
            read_after(longer, &[], false, &mut recent),
            Ok((200, false, longer.len()))
        );
    }
    // The same head to another question: without a body this time.
    let head = &one[..one.len() - 2];
    assert_eq!(
        read_after(head, &[], true, &mut recent),
        Ok((200, true, head.len()))
    );
    assert_eq!(
        read_after(one, &[], false, &mut recent),
        Ok((200, true, one.len()))
    );
}

use super::*;
use std::io::{BufReader, Read};
use tacho_workload::Body;

fn targets(syntax: TargetSyntax, text: &str) -> Vec<Result<Target, String>> {
    Targets::new(text.as_bytes(), syntax, Path::new("/base"))
        .map(|target| target.map_err(|error| error.to_string()))
        .collect()
}

#[test]
fn a_target_has_method_url_headers_and_body() {
    let read = targets(
        TargetSyntax::Text,
        "\n# all\nPOST  http://ann:x@h:81/a?b \r\nX-A:  b: c \n#no\n@body.json\nGET /only/a/path\nHEAD http://h:81\n",
    );
    let first = read[0].as_ref().unwrap();
    assert_eq!(
        (first.line, first.method.as_str(), first.path.as_str()),
        (3, "POST", "/a?b")
    );
    assert_eq!(first.origin.as_ref().unwrap().to_string(), "http://h:81");
    assert_eq!(
        first.headers,
        [
            ("X-A".to_owned(), "b: c".to_owned()),
            (
                "Authorization".to_owned(),
                crate::basic::authorization(b"ann:x")
            ),
        ]
    );
    assert_eq!(first.body, Body::File("/base/body.json".into()));
    assert_eq!(
        (
            read[1].as_ref().unwrap().line,
            &read[1].as_ref().unwrap().origin
        ),
        (7, &None)
    );
    assert_eq!(read.len(), 3);
}

#[test]
fn a_json_target_has_its_parts() {
    let read = targets(
        TargetSyntax::Json,
        "{\"url\":\"http://h/\",\"method\":\"PUT\",\"header\":{\"B\":[\"1\",\"2\"]},\"body\":\"AP8=\",\"x\":1}\n\n",
    );
    let target = read[0].as_ref().unwrap();
    assert_eq!(target.body, Body::Bytes(vec![0, 255]));
    assert_eq!(target.headers.len(), 2);
    assert_eq!(target.unknown, ["x"]);
    assert_eq!(read.len(), 1);
}

#[test]
fn a_field_that_says_what_is_sent_is_told_from_one_that_does_not() {
    let misnamed = |field: &str| {
        let line = format!("{{\"url\":\"/\",\"method\":\"GET\",\"{field}\":1}}");
        let read = targets(TargetSyntax::Json, &line);
        read[0].as_ref().unwrap().misnamed().is_some()
    };
    for field in ["headers", "Header", "bodyB64", "cookies", "params", "URI"] {
        assert!(misnamed(field), "{field}");
    }
    for field in ["id", "name", "author", "metadata", "timestamp"] {
        assert!(!misnamed(field), "{field}");
    }
}

#[test]
fn reading_goes_on_after_a_wrong_target() {
    let read = targets(
        TargetSyntax::Text,
        "GET http://a\nbad header\nX: y\n\nnonsense\nGET http://b\nGET ftp://c\nCONNECT http://d\n",
    );
    let outcomes: Vec<&str> = read
        .iter()
        .map(|target| {
            target
                .as_ref()
                .map_or_else(String::as_str, |target| target.path.as_str())
        })
        .collect();
    assert_eq!(outcomes.len(), 5, "{outcomes:?}");
    assert!(outcomes[0].starts_with("line 2: `bad header` is no header"));
    assert!(outcomes[1].starts_with("line 5: `nonsense` does not begin a target"));
    assert_eq!(outcomes[2], "/");
    assert!(outcomes[3].starts_with("line 7: `ftp://c` begins with neither"));
    assert!(outcomes[4].starts_with("line 8: `CONNECT` is no method"));
}

#[test]
fn wrong_json_is_named_with_its_line() {
    for (line, part) in [
        ("{", "this is no target in JSON"),
        ("{\"method\":\"GET\"}", "missing field `url`"),
        (
            "{\"method\":\"G T\",\"url\":\"http://a\"}",
            "`G T` is no method",
        ),
        (
            "{\"method\":\"GET\",\"url\":\"http://a\",\"body\":\"?\"}",
            "`body` is not base64",
        ),
        (
            "{\"method\":\"GET\",\"url\":\"http://a\",\"header\":{\"A\":[\"b\\n\"]}}",
            "is no header",
        ),
    ] {
        let read = targets(
            TargetSyntax::Json,
            &format!("\n{line}\n{{\"method\":\"GET\",\"url\":\"/\"}}"),
        );
        let error = read[0].as_ref().unwrap_err();
        assert!(
            error.starts_with("line 2: ") && error.contains(part),
            "{error}"
        );
        assert!(read[1].is_ok());
    }
}

#[test]
fn an_endless_input_is_read_as_it_comes() {
    struct Endless;
    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let target = b"GET /\n";
            buffer[..6].copy_from_slice(target);
            Ok(6)
        }
    }
    let read = Targets::new(BufReader::new(Endless), TargetSyntax::Text, Path::new("."));
    assert_eq!(read.take(100_000).filter(Result::is_ok).count(), 100_000);
}

#[test]
fn a_line_without_end_is_refused() {
    for syntax in [TargetSyntax::Text, TargetSyntax::Json] {
        let mut read = Targets::new(
            BufReader::new(std::io::repeat(b'a')),
            syntax,
            Path::new("."),
        );
        let error = read.next().unwrap().unwrap_err();
        assert!(matches!(error.problem, TargetProblem::TooLong { .. }));
        assert!(read.next().is_none());
    }
}

#[test]
fn headers_without_end_are_refused() {
    struct Headers(bool);
    impl Read for Headers {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let line: &[u8] = if std::mem::replace(&mut self.0, true) {
                b"X-A: bbbbbbbbbbbbbbbbbbbbbb\n"
            } else {
                b"GET /\n"
            };
            buffer[..line.len()].copy_from_slice(line);
            Ok(line.len())
        }
    }
    let mut read = Targets::new(
        BufReader::new(Headers(false)),
        TargetSyntax::Text,
        Path::new("."),
    );
    let error = read.next().unwrap().unwrap_err();
    assert!(matches!(error.problem, TargetProblem::TooLong { .. }));
}

#[test]
fn nothing_to_send_says_what_a_target_is() {
    for syntax in [TargetSyntax::Text, TargetSyntax::Json] {
        let error = read(syntax, b"\n", Path::new(".")).unwrap_err();
        assert!(error.to_string().contains("http://127.0.0.1:8080/path"));
    }
}

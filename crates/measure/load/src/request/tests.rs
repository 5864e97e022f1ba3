use super::*;
use crate::transport::Keep;

fn endpoint() -> Endpoint {
    Endpoint::new("127.0.0.1:8080".parse().unwrap())
}

fn get(path: &str) -> Message<'_> {
    Message {
        name: "a",
        method: "GET",
        path,
        headers: &[],
        body: &[],
    }
}

fn rendered(request: &Message<'_>) -> String {
    let rendered = Rendered::new(request, &endpoint(), Keep::Nothing).unwrap();
    String::from_utf8(rendered.bytes().to_vec()).unwrap()
}

fn error(request: &Message<'_>) -> RequestError {
    Rendered::new(request, &endpoint(), Keep::Nothing).unwrap_err()
}

#[test]
fn what_a_request_needs_is_added() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        rendered(&get("/ping?a=b")),
        format!(
            "GET /ping?a=b HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: tacho/{version}\r\n\r\n"
        )
    );
    let post = Message {
        method: "POST",
        body: b"{}",
        ..get("/count")
    };
    assert!(rendered(&post).ends_with("\r\nContent-Length: 2\r\n\r\n{}"));
    let empty = Message { body: &[], ..post };
    assert!(rendered(&empty).ends_with("\r\nContent-Length: 0\r\n\r\n"));
}

#[test]
fn what_is_given_is_not_added() {
    let request = Message {
        method: "POST",
        headers: &[
            ("host".into(), "example.test".into()),
            ("User-Agent".into(), "mine".into()),
            ("content-length".into(), "2".into()),
        ],
        body: b"{}",
        ..get("/")
    };
    assert_eq!(
        rendered(&request),
        "POST / HTTP/1.1\r\nhost: example.test\r\nUser-Agent: mine\r\ncontent-length: 2\r\n\r\n{}"
    );
}

#[test]
fn a_header_cannot_bring_another_one_with_it() {
    for (name, value) in [
        ("X", "a\r\nEvil: b"),
        ("X", "a\nEvil: b"),
        ("X", "a\0"),
        ("X\r\nEvil", "a"),
        ("X Y", "a"),
        ("X:", "a"),
        ("", "a"),
    ] {
        let request = Message {
            headers: &[(name.into(), value.into())],
            ..get("/")
        };
        assert!(
            matches!(error(&request), RequestError::Header { .. }),
            "{name:?} {value:?}"
        );
    }
    let endpoint = endpoint().with_authority("a\r\nEvil: b");
    assert!(Rendered::new(&get("/"), &endpoint, Keep::Nothing).is_err());
}

#[test]
fn what_cannot_be_sent_is_refused() {
    for path in ["", "ping", "/a b", "/a\r\nEvil: b", "/\t", "*"] {
        assert!(
            matches!(error(&get(path)), RequestError::Path { .. }),
            "{path:?}"
        );
    }
    for method in ["", "GET ", "CONNECT", "G\r\nT"] {
        let request = Message { method, ..get("/") };
        assert!(
            matches!(error(&request), RequestError::Method { .. }),
            "{method:?}"
        );
    }
    let wrong = Message {
        headers: &[("Content-Length".into(), "3".into())],
        ..get("/")
    };
    assert!(matches!(
        error(&wrong),
        RequestError::ContentLength { actual: 0, .. }
    ));
}

/// Method, URI, fields and body as they go to h2.
fn rendered_for_http2(request: &Message<'_>, endpoint: &Endpoint) -> (http::Request<()>, Vec<u8>) {
    let endpoint = endpoint.clone().speaking(Protocol::Http2);
    let rendered = Rendered::new(request, &endpoint, Keep::Nothing).unwrap();
    assert!(rendered.bytes().is_empty());
    match rendered.wire {
        rendered::Wire::Http2 { head, body } => (*head, body.to_vec()),
        _ => panic!("rendered for another protocol"),
    }
}

#[test]
fn http_2_has_its_own_form() {
    let request = Message {
        method: "POST",
        headers: &[
            ("HOST".into(), "example.test:81".into()),
            ("X-Trace".into(), " abc ".into()),
        ],
        body: b"{}",
        ..get("/count?x=1")
    };
    let (head, body) = rendered_for_http2(&request, &endpoint());
    assert_eq!(head.method(), "POST");
    assert_eq!(head.uri(), "http://example.test:81/count?x=1");
    let fields: Vec<(&str, &str)> = head
        .headers()
        .iter()
        .map(|(name, value)| (name.as_str(), value.to_str().unwrap()))
        .collect();
    let agent = concat!("tacho/", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        fields,
        [
            ("user-agent", agent),
            ("x-trace", "abc"),
            ("content-length", "2")
        ]
    );
    assert_eq!(body, b"{}");

    let tls = Some(TlsOptions::default());
    let (head, _) = rendered_for_http2(&get("/"), &Endpoint { tls, ..endpoint() });
    assert_eq!(head.uri(), "https://127.0.0.1:8080/");
}

#[test]
fn what_http_2_does_not_have_is_refused() {
    let endpoint = endpoint().speaking(Protocol::Http2);
    let refused = |name: &str, value: &str| {
        let request = Message {
            headers: &[(name.into(), value.into())],
            ..get("/")
        };
        Rendered::new(&request, &endpoint, Keep::Nothing).unwrap_err()
    };
    for name in ["Connection", "keep-alive", "Transfer-Encoding", "Upgrade"] {
        let error = refused(name, "x");
        assert!(matches!(error, RequestError::NotInHttp2 { .. }), "{name}");
        assert!(error.to_string().contains("HTTP/1.1"), "{error}");
    }
    for (name, value) in [("X", "a\r\nb"), ("X Y", "a"), ("Host", "a\0")] {
        let error = refused(name, value);
        assert!(matches!(error, RequestError::Header { .. }), "{name}");
    }
}

#[test]
fn the_rest_is_the_same_in_both_protocols() {
    for protocol in [Protocol::Http1, Protocol::Http2] {
        let endpoint = endpoint().speaking(protocol);
        let rendered = |method: &str, headers: &[(&str, &str)], body: &[u8]| {
            let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
            let headers: Vec<_> = headers.iter().map(own).collect();
            let request = Message {
                method,
                headers: &headers,
                body,
                ..get("/")
            };
            Rendered::new(&request, &endpoint, Keep::Head).unwrap()
        };
        assert!(rendered("HEAD", &[], b"").is_head);
        assert!(rendered("PUT", &[], b"").is_idempotent);
        assert!(!rendered("POST", &[], b"").is_idempotent);
        let expect = [("expect", "100-Continue")];
        assert!(rendered("POST", &expect, b"x").expects_continue);
        // There is nothing to hold back.
        assert!(!rendered("POST", &expect, b"").expects_continue);
        assert!(rendered("GET", &[], b"").is_for(protocol));
        assert_eq!(rendered("GET", &[], b"").keep, Keep::Head);
    }
}

use super::*;

fn endpoint() -> Endpoint {
    Endpoint::new("127.0.0.1:8080".parse().unwrap())
}

fn rendered(request: &Request) -> String {
    let mix = Mix::new(std::slice::from_ref(request), &endpoint(), 1).unwrap();
    String::from_utf8(mix.request(0).bytes().to_vec()).unwrap()
}

fn error(request: &Request) -> RequestError {
    Mix::new(std::slice::from_ref(request), &endpoint(), 1).unwrap_err()
}

#[test]
fn what_a_request_needs_is_added() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        rendered(&Request::get("/ping?a=b")),
        format!(
            "GET /ping?a=b HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: tacho/{version}\r\n\r\n"
        )
    );
    let post = Request {
        method: "POST".into(),
        body: b"{}".to_vec(),
        ..Request::get("/count")
    };
    assert!(rendered(&post).ends_with("\r\nContent-Length: 2\r\n\r\n{}"));
    let empty = Request {
        body: Vec::new(),
        ..post
    };
    assert!(rendered(&empty).ends_with("\r\nContent-Length: 0\r\n\r\n"));
}

#[test]
fn what_is_given_is_not_added() {
    let request = Request {
        method: "POST".into(),
        headers: vec![
            ("host".into(), "example.test".into()),
            ("User-Agent".into(), "mine".into()),
            ("content-length".into(), "2".into()),
        ],
        body: b"{}".to_vec(),
        ..Request::get("/")
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
        let request = Request {
            headers: vec![(name.into(), value.into())],
            ..Request::get("/")
        };
        assert!(
            matches!(error(&request), RequestError::Header { .. }),
            "{name:?} {value:?}"
        );
    }
    let endpoint = endpoint().with_authority("a\r\nEvil: b");
    assert!(Mix::new(&[Request::get("/")], &endpoint, 1).is_err());
}

#[test]
fn what_cannot_be_sent_is_refused() {
    for path in ["", "ping", "/a b", "/a\r\nEvil: b", "/\t", "*"] {
        assert!(
            matches!(error(&Request::get(path)), RequestError::Path { .. }),
            "{path:?}"
        );
    }
    for method in ["", "GET ", "CONNECT", "G\r\nT"] {
        let request = Request {
            method: method.into(),
            ..Request::get("/")
        };
        assert!(
            matches!(error(&request), RequestError::Method { .. }),
            "{method:?}"
        );
    }
    for weight in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let request = Request {
            weight,
            ..Request::get("/")
        };
        assert!(
            matches!(error(&request), RequestError::Weight { .. }),
            "{weight}"
        );
    }
    let wrong = Request {
        headers: vec![("Content-Length".into(), "3".into())],
        ..Request::get("/")
    };
    assert!(matches!(
        error(&wrong),
        RequestError::ContentLength { actual: 0, .. }
    ));
    assert_eq!(
        Mix::new(&[], &endpoint(), 1).unwrap_err(),
        RequestError::None
    );
}

#[test]
fn the_choice_follows_the_weights_and_only_the_seed() {
    let weighted = |weight| Request {
        weight,
        ..Request::get("/")
    };
    let requests = [weighted(1.0), weighted(2.0), weighted(7.0)];
    let mix = Mix::new(&requests, &endpoint(), 7).unwrap();
    let mut counts = [0u32; 3];
    for n in 0..100_000 {
        counts[mix.pick(0, n) as usize] += 1;
    }
    // Five standard deviations of a binomial with 100,000 draws are below 800.
    for (count, expected) in counts.into_iter().zip([10_000u32, 20_000, 70_000]) {
        assert!(count.abs_diff(expected) < 800, "{counts:?}");
    }
    let sequence = |mix: &Mix, phase| (0..64).map(|n| mix.pick(phase, n)).collect::<Vec<_>>();
    let again = Mix::new(&requests, &endpoint(), 7).unwrap();
    let other = Mix::new(&requests, &endpoint(), 8).unwrap();
    assert_eq!(sequence(&mix, 0), sequence(&again, 0));
    assert_ne!(sequence(&mix, 0), sequence(&mix, 1));
    assert_ne!(sequence(&mix, 0), sequence(&other, 0));
}

/// Method, URI, fields and body as they go to h2.
fn rendered_for_http2(request: &Request, endpoint: &Endpoint) -> (http::Request<()>, Vec<u8>) {
    let endpoint = endpoint.clone().speaking(Protocol::Http2);
    let rendered = Rendered::new(&Message::of(request), &endpoint, Keep::Nothing).unwrap();
    assert!(rendered.bytes().is_empty());
    match rendered.wire {
        rendered::Wire::Http2 { head, body } => (*head, body.to_vec()),
        rendered::Wire::Http1 { .. } => panic!("rendered for HTTP/1.1"),
    }
}

#[test]
fn http_2_has_its_own_form() {
    let request = Request {
        method: "POST".into(),
        headers: vec![
            ("HOST".into(), "example.test:81".into()),
            ("X-Trace".into(), " abc ".into()),
        ],
        body: b"{}".to_vec(),
        ..Request::get("/count?x=1")
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
    let (head, _) = rendered_for_http2(&Request::get("/"), &Endpoint { tls, ..endpoint() });
    assert_eq!(head.uri(), "https://127.0.0.1:8080/");
}

#[test]
fn what_http_2_does_not_have_is_refused() {
    let endpoint = endpoint().speaking(Protocol::Http2);
    let refused = |name: &str, value: &str| {
        let request = Request {
            headers: vec![(name.into(), value.into())],
            ..Request::get("/")
        };
        Rendered::new(&Message::of(&request), &endpoint, Keep::Nothing).unwrap_err()
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
            let own = |text: &str| text.to_owned();
            let request = Request {
                method: method.into(),
                headers: headers.iter().map(|(n, v)| (own(n), own(v))).collect(),
                body: body.to_vec(),
                ..Request::get("/")
            };
            Rendered::new(&Message::of(&request), &endpoint, Keep::Head).unwrap()
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
